import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, parse } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { Layout } from './layout.ts'

/** How the server's programs are run: PostgreSQL refuses to run as root. */
export type RunAs = {
  kind: 'self' | 'nobody' | 'namespace'
  /** Inserted before the program and its arguments. */
  prefix: string[]
  /** The options of spawn that change the user. */
  user: { uid?: number; gid?: number }
  /** Gives a file or folder, with its contents, to the user that runs the programs. */
  own(path: string): void
}

/** The working directory of every program, because the user that runs it may not enter ours. */
export const neutralFolder = parse(process.execPath).root

/**
 * As root, it prefers the user `nobody`, which can access nothing else on the machine. If `nobody` cannot reach the data
 * folder or the programs (for example under /root), a user namespace drops root's powers but keeps access to its files.
 */
export function chooseRunAs(layout: Layout, binaries: Binaries): RunAs {
  if (process.getuid?.() !== 0) return { kind: 'self', prefix: [], user: {}, own: () => {} }
  const nobody = findNobody()
  if (openFoldersFor(nobody, layout, binaries)) {
    return { kind: 'nobody', prefix: [], user: nobody, own: (path) => ownTree(path, nobody) }
  }
  const prefix = ['unshare', '-U', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--']
  if (!canRun([...prefix, binaries.postgres, '--version'])) throw new Error(explainNoAccess(layout, binaries))
  chmodSync(layout.home, 0o700)
  return { kind: 'namespace', prefix, user: {}, own: (path) => ownTree(path, { uid: 0, gid: 0 }) }
}

type User = { uid: number; gid: number }

function findNobody(): User {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  // Where `nobody` has no usable id (macOS writes -2), the number that Linux uses belongs to no other user either.
  return { uid: positive(uid), gid: positive(gid) }
}

function positive(id: string | undefined): number {
  const number = Number(id)
  return number > 0 ? number : 65534
}

/** Lets `nobody` pass through our two folders, but not list them, if that is enough to reach the files. */
function openFoldersFor(nobody: User, layout: Layout, binaries: Binaries): boolean {
  const folders = [layout.dataDir, layout.home].map((path) => ({ path, mode: statSync(path).mode & 0o7777 }))
  for (const { path, mode } of folders) chmodSync(path, mode | 0o011)
  const isOpen =
    canRun(['/bin/sh', '-c', 'cd "$0"', layout.home], nobody) && canRun([binaries.postgres, '--version'], nobody)
  if (!isOpen) for (const { path, mode } of folders) chmodSync(path, mode)
  return isOpen
}

function canRun([program = '', ...args]: string[], user: Partial<User> = {}): boolean {
  try {
    execFileSync(program, args, { ...user, cwd: neutralFolder, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function explainNoAccess(layout: Layout, binaries: Binaries): string {
  return (
    'PostgreSQL does not run as root, and as the user nobody it cannot get to ' +
    `${layout.home} or ${binaries.postgres}: a folder above is closed to others (chmod o+x opens it), ` +
    'and this system allows no user namespaces. Start as an ordinary user, move the folder, or set DATABASE_URL.'
  )
}

/** The folder itself comes last, so that after a crash the next start sees that the work is not complete. */
function ownTree(path: string, user: User): void {
  const found = statSync(path)
  if (found.uid === user.uid && found.gid === user.gid) return
  if (found.isDirectory()) ownContents(path, user)
  chownSync(path, user.uid, user.gid)
}

function ownContents(folder: string, user: User): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), user.uid, user.gid)
  }
}
