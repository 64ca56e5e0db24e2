// The matrix of hostile text: sources by sinks, one file a sink. They stand in one test file so that what the sources tell
// is made once.
import "./annotations.ts";
import "./json.ts";
import "./markdown.ts";
import "./outputs.ts";
import "./preview.ts";
import "./pull-request.ts";
import "./shell.ts";
import "./terminal.ts";
