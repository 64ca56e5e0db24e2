// The columns of the example's table as Spark wrote it: strings only.
export const EMPLOYEE_COLUMNS = `columns:
  - { name: employeeid, type: string }
  - { name: name_first, type: string }
  - { name: name_middle, type: string }
  - { name: name_last, type: string }
  - { name: name_initials, type: string }
  - { name: sex, type: string }
  - { name: language, type: string }
  - { name: phonenumber, type: string }
  - { name: emailaddress, type: string }
  - { name: loginname, type: string }
  - { name: addressid, type: string }
  - { name: validity_startdate, type: string }
  - { name: validity_enddate, type: string }
`;
