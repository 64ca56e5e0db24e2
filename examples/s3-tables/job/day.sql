-- One day, from the Hive-style table into S3 Tables. Run as often as you like, the day is there once.
DELETE FROM events.ssb.lineorder WHERE lo_orderdate = '1992-10-01';
INSERT INTO events.ssb.lineorder
SELECT
  lo_orderkey, lo_linenumber, lo_custkey, lo_partkey, lo_suppkey, lo_orderpriority, lo_shippriority,
  lo_quantity, lo_extendedprice, lo_ordertotalprice, lo_discount, lo_revenue, lo_supplycost, lo_tax,
  lo_commitdate,
  lo_shipmode, lo_orderdate
FROM landing.lineorder
WHERE lo_orderdate = '1992-10-01';
