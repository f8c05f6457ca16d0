// Asks the service of this container whether it runs. An engine has no API, so it is asked for its metrics, if it serves them.
const { ROLE, PORT, METRICS_PORT, METRICS_TOKEN } = process.env
const isEngine = ROLE === 'engine'
if (isEngine && !METRICS_PORT) process.exit(0)
const url = isEngine ? `http://127.0.0.1:${METRICS_PORT}/metrics` : `http://127.0.0.1:${PORT || 4100}/api/health`
const headers = isEngine && METRICS_TOKEN ? { authorization: `Bearer ${METRICS_TOKEN}` } : {}
const response = await fetch(url, { headers, signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
process.exit(response?.ok ? 0 : 1)
