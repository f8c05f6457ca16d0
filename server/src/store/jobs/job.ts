/**
 * The queues of pg-boss jobs that connect the processes. `evaluate` holds chunks of matches, in any order.
 * `evaluate-ordered` holds the chunks of triggers with state; jobs with the same key run one after the other.
 * `deliver` wakes the lane of a resource. `policy` wakes a subscription whose policy set a timer. `mail` sends mails about
 * accounts.
 */
export const queues = ['evaluate', 'evaluate-ordered', 'deliver', 'policy', 'mail'] as const
export type QueueName = (typeof queues)[number]

/** A job that this process has claimed. Only the process that holds the claim can finish this attempt, and only once. */
export type ClaimedJob<T> = { queue: QueueName; id: string; retryCount: number; data: T; signal: AbortSignal }
