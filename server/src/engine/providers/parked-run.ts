/** The state of a run that waits for a provider. It is JSON, because it is stored. */
export type ParkedRun = {
  /** The id of the provider that waits. */
  provider: string
  /** The attempts so far. */
  attempts: number
  /** The time of the provider's first attempt, and of the first one in the run that was not accepted. */
  sinceMs: number
  runSinceMs: number
  /** The results of the providers before it. */
  values: Record<string, unknown>
  /** The hash of the definition and the inputs. With others, the values do not count and the run starts from its beginning. */
  digest: string
}
export type Parking = { state: ParkedRun; delayMs: number }
