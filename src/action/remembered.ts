// A question that is asked once for each key, however often the answer is needed, also while it is on its way.

/** `keyOf`: what the question is about, as JSON can tell; without: all of it. */
export function remembered<A extends readonly unknown[], T>(
  ask: (...about: A) => Promise<T>,
  keyOf: (...about: A) => unknown = (...about) => about,
): (...about: A) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return async (...about) => {
    const key = JSON.stringify(keyOf(...about));
    const known = answers.get(key);
    if (known !== undefined) return await known;
    const asking = ask(...about);
    answers.set(key, asking);
    return await asking;
  };
}
