/** What an endpoint did: for the status and the log of its source. */

/** How an endpoint has been since the connection was opened. It holds no URL: keys stand there. */
export type EndpointReport = {
  host: string
  requests: number
  failures: number
  timeouts: number
  /** How often it asked to be asked less. */
  slowDowns: number
  /** Answers that were null. */
  nulls: number
  /** Answers that were not all of the truth. */
  incomplete: number
  /** A moving average; null before the first answer. */
  latencyMs: number | null
  /** For how long others still go first. */
  restMs: number
  /** Calls a second that it is asked at the most; null while it never complained. */
  perSecond: number | null
  /** Its latest block and how far that is behind the others, as last seen. */
  head?: number
  lag?: number
}

/** What happens to an endpoint and its owner should read in the source's log. It names the host, never the whole URL. */
export type EndpointNotice = { level: 'info' | 'warn'; code: EndpointNoticeCode; host: string; message: string }

export type EndpointNoticeCode =
  /** Failed several times in a row: the others go first. */
  | 'endpoint_failing'
  | 'endpoint_recovered'
  /** Its head is behind those of the others. */
  | 'endpoint_lagging'
  | 'endpoint_caught_up'
  /** Its answer could not be all of the truth; another endpoint had it. */
  | 'endpoint_incomplete'
  /** It refuses calls as too many, so they wait. */
  | 'endpoint_limiting'
  /** It answers a call with an error that another endpoint answers. */
  | 'endpoint_refusing'
  /** It is of another network than the others and is not asked. */
  | 'endpoint_of_other_network'
  /** It gave transactions of a version that this release cannot read; the others of the block were read. */
  | 'transactions_unreadable'
  /** It takes no batches, so calls go one by one. */
  | 'endpoint_without_batches'
  /** By which calls it gives logs. */
  | 'endpoint_log_way'
  /** Its logs cannot be checked for completeness; they are used because no endpoint whose logs can be checked answers. */
  | 'logs_unchecked'
  /** Logs that can be checked are read again. */
  | 'logs_checked_again'
  /** The receipts root of a sampled block does not fit. */
  | 'sample_failed'
  /** The chain makes receipts roots by rules that are not known here. */
  | 'receipts_root_unknown'
