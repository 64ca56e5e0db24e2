// Diagnostic codes of the import area with their default severity: what a live table has and a file cannot say, and
// why a file was not written.
export const IMPORT_CODES = {
  "import-field-left-out": "warning",
  "import-part-left-out": "warning",
  "import-properties-left-out": "note",
  "import-catalog-comments": "note",
  "import-table-declared": "error",
  "import-file-exists": "error",
  "import-namespace-unknown": "error",
  "import-path-unmatched": "error",
  "import-plan-not-empty": "error",
  "import-update-left-out": "warning",
} as const;
