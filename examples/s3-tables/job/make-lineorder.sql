-- How the table was once made: in a job's script, and never seen again.
CREATE TABLE events.ssb.lineorder (
  lo_orderkey int,
  lo_linenumber int,
  lo_custkey int,
  lo_partkey int,
  lo_suppkey int,
  lo_orderpriority string,
  lo_shippriority string,
  lo_quantity int,
  lo_extendedprice int,
  lo_ordertotalprice int,
  lo_discount int,
  lo_revenue int,
  lo_supplycost int,
  lo_tax int,
  lo_commitdate string,
  lo_shipmode string,
  lo_orderdate string
)
USING iceberg
PARTITIONED BY (lo_orderdate)
