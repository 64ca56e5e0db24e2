-- The same day, after lo_commitdate became a date. One line is new: a date is written, and no text.
DELETE FROM events.ssb.lineorder WHERE lo_orderdate = '1992-10-01';
INSERT INTO events.ssb.lineorder
SELECT
  lo_orderkey, lo_linenumber, lo_custkey, lo_partkey, lo_suppkey, lo_orderpriority, lo_shippriority,
  lo_quantity, lo_extendedprice, lo_ordertotalprice, lo_discount, lo_revenue, lo_supplycost, lo_tax,
  CAST(lo_commitdate AS date) AS lo_commitdate,
  lo_shipmode, lo_orderdate
FROM landing.lineorder
WHERE lo_orderdate = '1992-10-01';
