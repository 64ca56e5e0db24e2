// What must come out of the employees' conversion, worked out from what went in by code that shares nothing with
// floeplan.
import type { Row } from "../support/rows.ts";

export const TYPES: Readonly<Record<string, string>> = {
  employeeid: "int",
  first_name: "string",
  name_middle: "string",
  name_last: "string",
  name_initials: "string",
  sex: "string",
  language: "string",
  department: "string",
  phonenumber: "string",
  emailaddress: "string",
  addressid: "int",
  validity_startdate: "date",
  validity_enddate: "date",
  office: "struct<site:string,room:string>",
};

/** As Spark wrote the table. */
export const TYPES_BEFORE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "employeeid",
    "name_first",
    "name_middle",
    "name_last",
    "name_initials",
    "sex",
    "language",
    "phonenumber",
    "emailaddress",
    "loginname",
    "addressid",
    "validity_startdate",
    "validity_enddate",
  ].map((name) => [name, "string"]),
);

export function asDeclared(before: Row): Row {
  const { loginname, name_first, ...row } = before;
  if (loginname === undefined) throw new Error("the table before has a login name");
  return {
    ...row,
    employeeid: integer(row["employeeid"]),
    first_name: name_first ?? null,
    department: null,
    addressid: integer(row["addressid"]),
    validity_startdate: day(row["validity_startdate"]),
    validity_enddate: day(row["validity_enddate"]),
    office: null,
  };
}

function integer(cell: Row[string] | undefined): bigint | null {
  return typeof cell === "string" ? BigInt(cell) : null;
}

function day(cell: Row[string] | undefined): string | null {
  return typeof cell === "string" ? cell.replace(/^(....)(..)(..)$/, "$1-$2-$3") : null;
}
