// The version of this program, from the manifest that is published with it.
import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;
