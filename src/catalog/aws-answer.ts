// The shapes of answers of AWS's services as far as floeplan looks at them. The SDK hands on whatever JSON came: what is
// behind a proxy, or not AWS at all, may answer anything. Knows no service.

export type Shape =
  | { readonly is: "text" }
  | { readonly is: "list"; readonly of: Shape }
  /** Texts by name. */
  | { readonly is: "texts" }
  /** All members may be absent but those that are required; what is not named may be anything. */
  | { readonly is: "struct"; readonly members: Readonly<Record<string, Shape>>; readonly required: readonly string[] };

export const TEXT: Shape = { is: "text" };
export const TEXTS: Shape = { is: "texts" };

export function listOf(of: Shape): Shape {
  return { is: "list", of };
}

export function struct(members: Readonly<Record<string, Shape>>, ...required: readonly string[]): Shape {
  return { is: "struct", members, required };
}

/** An answer came, and is none of the service: what it did is not known. */
function unreadable(why: string): Error {
  return Object.assign(new Error(`The answer is not what the service gives: ${why}`), { $metadata: { httpStatusCode: 200 } });
}

/** Throws where the answer has another shape. */
export function requireShape(shape: Shape, answer: unknown): void {
  const fault = faultOf(shape, answer, "it");
  if (fault !== null) throw unreadable(fault);
}

/** What is always given, once the shape holds. */
export function present<T>(value: T | undefined, member: string): T {
  if (value === undefined || value === "") throw unreadable(`it lacks "${member}"`);
  return value;
}

function faultOf(shape: Shape, value: unknown, path: string): string | null {
  switch (shape.is) {
    case "text":
      return typeof value === "string" ? null : `${path} is no text`;
    case "list":
      if (!Array.isArray(value)) return `${path} is no list`;
      return firstFault(value.map((one: unknown, index) => [shape.of, one, `${path}[${index}]`]));
    case "texts":
      if (!isObject(value)) return `${path} is no object`;
      return firstFault(Object.entries(value).map(([key, one]) => [TEXT, one, `${path}[${JSON.stringify(key)}]`]));
    case "struct": {
      if (!isObject(value)) return `${path} is no object`;
      const missing = shape.required.find((member) => value[member] === undefined);
      if (missing !== undefined) return `${path} lacks "${missing}"`;
      const given = Object.entries(shape.members).filter(([member]) => value[member] !== undefined);
      return firstFault(given.map(([member, of]) => [of, value[member], path === "it" ? `"${member}"` : `${path}.${member}`]));
    }
  }
}

function firstFault(parts: readonly (readonly [shape: Shape, value: unknown, path: string])[]): string | null {
  for (const [shape, value, path] of parts) {
    const fault = faultOf(shape, value, path);
    if (fault !== null) return fault;
  }
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
