import { join } from 'node:path'
import type { Config } from './config.ts'
import { howToImportUnverified, type SignManifest } from './store/archive/manifest.ts'
import { makeSecretBox } from './store/core/secret-box.ts'
import { findSecretKey } from './store/core/secret-key.ts'
import { connectEmbedded, startEmbeddedPostgres } from './store/embedded/index.ts'

export type ArchiveStore = { url: string; close(): Promise<void> }

/** Opens the store for reading. A running server, for example of the service, is used and left running. */
export async function openForExport(config: Config): Promise<ArchiveStore> {
  const running = config.databaseUrl ?? (await connectEmbedded(config.dataDir))
  return running ? { url: running, close: async () => {} } : openForImport(config)
}

/** Opens the store for writing. The embedded server must be free; a service that uses it is named in the error. */
export async function openForImport(config: Config): Promise<ArchiveStore> {
  if (config.databaseUrl) return { url: config.databaseUrl, close: async () => {} }
  const server = await startEmbeddedPostgres(config.dataDir)
  return { url: server.url, close: server.stop }
}

/** Signs archives with the service's key, so that an import notices changes. Undefined if there is no key. */
export function archiveSigner(config: Config): SignManifest | undefined {
  const key = findSecretKey(config.secretKey, config.dataDir)
  return key && ((text) => makeSecretBox(key).sign('archive', text))
}

export function requireSigner(config: Config): SignManifest {
  const sign = archiveSigner(config)
  if (sign) return sign
  throw new Error(
    `The archive cannot be checked without the key of the service that exported it: bring ${keyOf(config)} first, or set SECRET_KEY. ${howToImportUnverified}`,
  )
}

/** Without the key the secrets in an archive are useless to a thief, so the archive does not contain it. */
export function keyReminder(config: Config): string {
  return `The archive does not contain ${keyOf(config)}. Copy it separately: without it the encrypted secrets cannot be read.`
}

function keyOf(config: Config): string {
  return config.secretKey ? 'SECRET_KEY' : `the key file ${join(config.dataDir, 'secret.key')}`
}
