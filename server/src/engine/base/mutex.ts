/** Lets one piece of work run at a time; the others wait in order. */
export class Mutex {
  #isLocked = false
  readonly #waiting: (() => void)[] = []

  get isFree(): boolean {
    return !this.#isLocked
  }

  /** Returns the function that unlocks, or undefined if the lock is held. */
  tryLock(): (() => void) | undefined {
    if (this.#isLocked) return undefined
    this.#isLocked = true
    return () => this.#unlock()
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const unlock = await this.#lock()
    try {
      return await work()
    } finally {
      unlock()
    }
  }

  async #lock(): Promise<() => void> {
    const unlock = this.tryLock()
    if (unlock) return unlock
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return () => this.#unlock()
  }

  /** The lock passes to the next waiter without being free in between. */
  #unlock(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isLocked = false
  }
}
