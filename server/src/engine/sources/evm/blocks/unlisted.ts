/** So many blocks without transactions are asked for logs before a chain counts as one that has none in them. */
const askedMin = 16
/** Chains that add logs of their own do so every so many blocks: Polygon, for example, at the start of each sprint of 16. */
const sampleEvery = 16

/**
 * Whether the blocks of one network have logs although they list no transaction: some chains have logs of their own, which
 * belong to no listed transaction.
 */
export class Unlisted {
  #asked = 0
  #haveLogs = false

  get haveLogs(): boolean {
    return this.#haveLogs
  }

  /** True if a block without transactions, whose bloom is empty, must be asked for logs. */
  mustAsk(number: number): boolean {
    return this.mustProve || number % sampleEvery === 0
  }

  /** True if an empty list of logs of such a block needs a proof. */
  get mustProve(): boolean {
    return this.#haveLogs || this.#asked < askedMin
  }

  learn(logsCount: number): void {
    this.#asked += 1
    if (logsCount > 0) this.#haveLogs = true
  }
}
