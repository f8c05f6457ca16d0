import type { Verified } from '../../engine/sources/connection.ts'
import { requireLevel } from '../access.ts'
import type { Handler } from '../handler.ts'

/**
 * Connects to every endpoint and reports the result. An error of a node is part of the response, not a failure of the
 * request.
 */
export const verifyCustomSource: Handler<'verifyCustomSource'> = async (context) => {
  const { account, body, store, engine, testLimits, now } = context
  await requireLevel(store, account, body.workspace, 'developer')
  const { kind, endpoints, substrate } = body
  const verify = () => engine.verify({ kind, endpoints, extensions: substrate?.extensions })
  const found = await testLimits.run(account.id, now, verify, body.workspace)
  const broken = found.endpoints.filter((endpoint) => !endpoint.ok)
  return {
    ok: broken.length === 0,
    logs: [...found.endpoints.map(lineOf), ...found.endpoints.flatMap(notesOf)],
    details: detailsOf(found),
    ...(broken.length > 0 && { error: `${broken.length} of ${found.endpoints.length} endpoints cannot be used.` }),
  }
}

type Endpoint = Verified['endpoints'][number]

/** Shows only the host of an endpoint, because the rest of a URL often holds a key. */
function lineOf({ url, ok, error, latencyMs, latestBlock }: Endpoint): { level: 'info' | 'error'; message: string } {
  const { host } = new URL(url)
  if (!ok) return { level: 'error', message: `${host}: ${error ?? 'It cannot be used.'}` }
  return { level: 'info', message: `${host}: block ${latestBlock ?? 'unknown'}, answered in ${latencyMs} ms` }
}

function notesOf({ url, notes = [] }: Endpoint): { level: 'info' | 'warn'; message: string }[] {
  const { host } = new URL(url)
  return notes.map(({ level, message }) => ({ level, message: `${host}: ${message}` }))
}

function detailsOf({ network, chainId, genesisHash, latestBlock, endpoints }: Verified) {
  return {
    network,
    ...(chainId !== undefined && { chainId }),
    ...(genesisHash !== undefined && { genesisHash }),
    latestBlock,
    endpoints: endpoints.map(({ url, ok, latencyMs, latestBlock, capabilities }) => ({
      url,
      ok,
      latencyMs,
      ...(latestBlock !== undefined && { latestBlock }),
      capabilities,
    })),
  }
}
