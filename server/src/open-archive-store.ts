import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { howToTrust, type SignManifest } from './store/archive/manifest.ts'
import { makeSecretBox } from './store/core/secret-box.ts'
import { findSecretKey } from './store/core/secret-key.ts'
import { connectEmbedded, hasCluster, startEmbeddedPostgres } from './store/embedded/index.ts'

export type ArchiveStore = { url: string; close(): Promise<void> }

/** Opens an existing store. A running server, for example of the service, is used and left running. */
export async function openForExport(config: Config): Promise<ArchiveStore> {
  if (config.databaseUrl) return { url: config.databaseUrl, close: async () => {} }
  if (process.getuid?.() !== 0) requireOwner(config.dataDir)
  if (!hasCluster(config.dataDir))
    throw new Error(
      `There is no store in ${config.dataDir}. Set DATA_DIR to the data folder of the service, or DATABASE_URL to its database.`,
    )
  const running = await connectEmbedded(config.dataDir)
  return running ? { url: running, close: async () => {} } : openForImport(config)
}

/** Opens the store for writing, or makes one. The embedded server must be free; a service that uses it is named in the error. */
export async function openForImport(config: Config): Promise<ArchiveStore> {
  if (config.databaseUrl) return { url: config.databaseUrl, close: async () => {} }
  requireOwner(config.dataDir)
  const server = await startEmbeddedPostgres(config.dataDir)
  return { url: server.url, close: server.stop }
}

/** What another user starts or writes in the folder could keep the service from starting. */
export function requireOwner(dataDir: string): void {
  const owner = existsSync(dataDir) ? statSync(dataDir).uid : undefined
  const self = process.getuid?.()
  if (owner === undefined || self === undefined || owner === self) return
  throw new Error(
    `The data folder ${dataDir} belongs to the user ${nameOf(owner)}, and you are ${nameOf(self)}. Run the command as that user: sudo -u ${nameOf(owner)} env DATA_DIR=${dataDir} npm run …`,
  )
}

function nameOf(uid: number): string {
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  return users.map((line) => line.split(':')).find(([, , id]) => id === String(uid))?.[0] ?? `#${uid}`
}

/** Signs archives with the service's key, so that an import notices changes. Undefined if there is no key. */
export function archiveSigner(config: Config): SignManifest | undefined {
  const key = findSecretKey(config.secretKey, config.dataDir)
  return key && ((text) => makeSecretBox(key).sign('archive', text))
}

export function requireSigner(config: Config, unverifiedCommand: string): SignManifest {
  const sign = archiveSigner(config)
  if (sign) return sign
  throw new Error(
    `The archive cannot be checked without the key of the service that exported it: bring ${keyOf(config)} first, or set SECRET_KEY. ${howToTrust(unverifiedCommand)}`,
  )
}

/** Without the key the secrets in an archive are useless to a thief, so the archive does not contain it. */
export function keyReminder(config: Config): string {
  return `The archive does not contain ${keyOf(config)}. Copy it separately: without it the encrypted secrets cannot be read.`
}

function keyOf(config: Config): string {
  return config.secretKey ? 'SECRET_KEY' : `the key file ${join(config.dataDir, 'secret.key')}`
}
