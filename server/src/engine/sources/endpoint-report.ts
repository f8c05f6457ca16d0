/** The state of an endpoint, for the status and the log of its source. */

/** Counters of an endpoint since the connection was opened. They contain no URL, because URLs contain keys. */
export type EndpointReport = {
  host: string
  requests: number
  failures: number
  timeouts: number
  /** How often it answered with a rate limit. */
  slowDowns: number
  /** Answers that were null. */
  nulls: number
  /** Answers that were found to be incomplete. */
  incomplete: number
  /** A moving average; null before the first answer. */
  latencyMs: number | null
  /** The remaining time during which other endpoints are tried first. */
  restMs: number
  /** The current rate limit in calls per second; null when it never sent a rate limit. */
  perSecond: number | null
  /** Its latest block and its distance to the other endpoints, at the last comparison. */
  head?: number
  lag?: number
  /** Why its last calls failed; absent unless they failed for ten seconds. */
  failure?: string
}

/** An event of an endpoint for the source's log. It names the host, never the whole URL. */
export type EndpointNotice = { level: 'info' | 'warn'; code: EndpointNoticeCode; host: string; message: string }

export type EndpointNoticeCode =
  /** It failed several times in a row; the others are tried first. */
  | 'endpoint_failing'
  | 'endpoint_recovered'
  /** Its head is behind the heads of the others. */
  | 'endpoint_lagging'
  | 'endpoint_caught_up'
  /** Its answer was incomplete; another endpoint gave the complete one. */
  | 'endpoint_incomplete'
  /** It rejects calls with a rate limit, so calls wait. */
  | 'endpoint_limiting'
  /** It answers a call with an error that another endpoint answers. */
  | 'endpoint_refusing'
  /** It belongs to another network than the others and is not used. */
  | 'endpoint_of_other_network'
  /** It sent transactions of a version that this release cannot read. The other transactions of the block were read. */
  | 'transactions_unreadable'
  /** It accepts no batches, so calls are sent one by one. */
  | 'endpoint_without_batches'
  /** Which calls it uses for logs. */
  | 'endpoint_log_request'
  /** Its logs cannot be checked for completeness. They are used because no endpoint with checkable logs answers. */
  | 'logs_unchecked'
  /** Checkable logs are available again. */
  | 'logs_checked_again'
  /** The receipts root of a sampled block does not match. */
  | 'sample_failed'
  /** The chain computes receipts roots by rules that this release does not know. */
  | 'receipts_root_unknown'
