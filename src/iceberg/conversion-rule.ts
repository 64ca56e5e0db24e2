// The rule of a declared conversion as data (`convert:` in a table file): it travels from YAML through the
// plan and the rewrite into the property `floeplan.conversion.<id>`. What a rule means is in conversion/.

export interface ConversionRule {
  /** Canonical type text of the live column, e.g. `string`. */
  readonly from: string;
  /** Pattern of fixed-width letters, e.g. `yyyyMMdd`; absent: ISO 8601. */
  readonly format?: string;
  /** `UTC` or `±hh:mm`, for text without an offset. */
  readonly zone?: string;
  readonly trueValues?: readonly string[];
  readonly falseValues?: readonly string[];
  readonly onError: "fail" | "set-null";
  readonly trim: boolean;
  readonly emptyAsNull: boolean;
  readonly writersStopped: boolean;
  readonly history?: "move-aside" | "give-up";
}
