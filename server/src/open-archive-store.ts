import { join } from 'node:path'
import type { Config } from './config.ts'
import { connectEmbedded, startEmbeddedPostgres } from './store/embedded/index.ts'

export type ArchiveStore = { url: string; close(): Promise<void> }

/** For reading: a server that runs already, the service's own too, is used as it is and left running. */
export async function openForExport(config: Config): Promise<ArchiveStore> {
  const running = config.databaseUrl ?? (await connectEmbedded(config.dataDir))
  return running ? { url: running, close: async () => {} } : openForImport(config)
}

/** For writing: the embedded server is taken for ourselves, so a service that uses it is in the way and is named. */
export async function openForImport(config: Config): Promise<ArchiveStore> {
  if (config.databaseUrl) return { url: config.databaseUrl, close: async () => {} }
  const server = await startEmbeddedPostgres(config.dataDir)
  return { url: server.url, close: server.stop }
}

/** The archive is of no use to a thief without the key, so the two do not travel together. */
export function keyReminder(config: Config): string {
  return `The archive does not hold ${keyOf(config)}: carry it separately; without it the encrypted secrets cannot be read.`
}

export function keyRequest(config: Config): string {
  return `Bring the key that belongs to the data (${keyOf(config)}) before the service starts; without it the encrypted secrets cannot be read.`
}

function keyOf(config: Config): string {
  return config.secretKey ? 'SECRET_KEY' : `the key file ${join(config.dataDir, 'secret.key')}`
}
