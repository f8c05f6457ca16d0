const namesMax = 400

/**
 * The names of the prepared statements of a pool. When a table gets a column, PostgreSQL refuses every statement that returns
 * all columns and was prepared before, as long as its connection lasts. After the first such refusal all texts get new names,
 * so every connection prepares them again. The old plans stay in memory until their connection is closed.
 */
export class StatementNames {
  readonly #prefix: string
  readonly #indexes = new Map<string, number>()
  #generation = 0

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** False if there are enough names: each costs PostgreSQL memory, and lists have many combinations of filters. */
  canName(text: string): boolean {
    return this.#indexes.has(text) || this.#indexes.size < namesMax
  }

  nameOf(text: string): string {
    const index = this.#indexes.get(text) ?? this.#indexes.size
    this.#indexes.set(text, index)
    return `${this.#prefix}${this.#generation}_${index}`
  }

  /** `refused` is the name that the text had. Several refusals at once change the names once. */
  renew(text: string, refused: string): void {
    if (this.nameOf(text) === refused) this.#generation++
  }
}

/**
 * True if PostgreSQL refused a prepared statement because its columns have changed. It refuses before it runs the statement, so
 * a repeat is safe. The message is translated if the server speaks another language; the routine is the same.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
