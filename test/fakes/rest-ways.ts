// The ways in which known servers of the REST protocol go other ways than it, as switches of the fake; and its answers that
// are no success.

export interface RestWays {
  /** Requirements of these types are not looked at, as by a server that does not know them. */
  ignoresRequirements?: readonly string[];
  /** Updates of these actions are taken and do nothing. */
  ignoresUpdates?: readonly string[];
  /** New schemas get ids with gaps. */
  renumbersSchemas?: boolean;
  /** Docs of fields within fields are lost. */
  dropsNestedDocs?: boolean;
  /** Integers pass through doubles. */
  roundsLongs?: boolean;
  /** New tables get field ids depth first. */
  numbersDepthFirst?: boolean;
  /** Defaults of fields are lost. */
  dropsDefaults?: boolean;
  /** A creation under a taken name is answered with the table that has it. */
  answersTakenNames?: boolean;
  /** No log of metadata files is kept. */
  keepsNoLog?: boolean;
}

/** An answer of the server that is no success. */
export class RestRefusal extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

export const bad = (message: string): never => {
  throw new RestRefusal(400, "BadRequestException", message);
};
export const failed = (message: string): never => {
  throw new RestRefusal(409, "CommitFailedException", `Requirement failed: ${message}`);
};
