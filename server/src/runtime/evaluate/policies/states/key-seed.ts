import type { Seed } from '../load-policies.ts'

/** What a warm-up stores of its first output; `id` is that of the alert. */
export type KeySeed = Seed & { id: string }
