/** Every metric of the service. docs/metrics.md lists them; a test compares the two. */
export type MetricRow = {
  type: 'counter' | 'gauge' | 'histogram'
  labels: readonly string[]
  help: string
}

export const metricTable = {
  tocsin_source_head_block: gauge('The newest block that the nodes of a source reported', 'source'),
  tocsin_source_processed_block: gauge('The last block of a source that was matched and committed', 'source'),
  tocsin_source_lag_blocks: gauge('How many blocks of a source are known and not processed yet', 'source'),
  tocsin_source_status: gauge('1 for the current status of a source, 0 for the other ones', 'source', 'status'),
  tocsin_rpc_requests_total: counter('Calls to the nodes of a source', 'source', 'method', 'outcome'),
  tocsin_rpc_seconds: histogram('Time of one call to a node of a source', 'source'),
  tocsin_blocks_total: counter('Blocks that were matched and committed', 'source'),
  tocsin_items_matched_total: counter('Items of blocks, and ticks of timers, that matched a trigger', 'source'),
  tocsin_runs_total: counter('Runs of triggers on one item', 'outcome'),
  tocsin_run_seconds: histogram('Time of one run; the runs of one chunk run together'),
  tocsin_script_seconds: histogram('Time of one script for all its items, including the wait for a free process'),
  tocsin_alerts_total: counter('Alerts that were recorded', 'severity', 'state'),
  tocsin_deliveries_total: counter('Attempts to deliver an alert', 'blueprint', 'outcome'),
  tocsin_delivery_seconds: histogram('Time of one attempt to deliver an alert', 'blueprint'),
  tocsin_block_to_delivery_seconds: histogram('Time from the timestamp of a block to the delivery of its alert'),
  tocsin_queue_depth: gauge('Entries of a queue that wait or are at work; it counts no further than 100000', 'queue'),
  tocsin_queue_oldest_seconds: gauge('How long the first due entry of a queue has waited', 'queue'),
  tocsin_leases_held: gauge('Leases that this process holds: on sources and on delivery lanes', 'kind'),
  tocsin_store_up: gauge('1 if the store answers and can write, else 0'),
  tocsin_build_info: gauge('Always 1; the label names the version of this process', 'version'),
  tocsin_db_pool_in_use: gauge('Connections of the pool to the store that are in use'),
  tocsin_http_request_duration_seconds: histogram(
    'Time from the first byte of a request to the last byte of its response',
    ...['method', 'route', 'status'],
  ),
  tocsin_replica_reads_total: counter(
    'Reads of lists and streams with a replica: read there, or on the primary because the replica was behind, failed or was resting',
    'outcome',
  ),
} as const satisfies Record<string, MetricRow>

export type MetricName = keyof typeof metricTable

function counter(help: string, ...labels: string[]) {
  return { type: 'counter', labels, help } as const
}

function gauge(help: string, ...labels: string[]) {
  return { type: 'gauge', labels, help } as const
}

function histogram(help: string, ...labels: string[]) {
  return { type: 'histogram', labels, help } as const
}
