// The limits of what is read, in one place. They are far above what people write and keep hostile files harmless.

/** Of one file. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Of one project, table and shared files together. */
export const MAX_FILES = 50_000;

/** Deeper nesting has no use in a table file, and what reads the tree recurses. */
export const MAX_DEPTH = 100;

/** Some 40,000 fields; files of ordinary content stay far below. */
export const MAX_LEXEMES = 1_500_000;

/** Of one kind in one file; more help nobody. */
export const MAX_FINDINGS = 100;

/** Of a line that is shown corrected, in UTF-16 units; nobody finds the mend in a longer one. */
export const MAX_CORRECTED_LINE = 2000;
