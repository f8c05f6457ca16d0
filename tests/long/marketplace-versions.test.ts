import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, type Client, createClient } from '@tocsin/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installMarketplace } from '../../server/src/domain/marketplace/index.ts'
import { Refusal } from '../../server/src/domain/refusal.ts'
import { until } from '../harness/following.ts'
import { type Harness, harness } from '../harness/index.ts'

/** The projects of `marketplace/` when a start brings another version of them. */
const folder = join(import.meta.dirname, '../../marketplace')
const token = 'marketplace-test-token-0123456789abcdef'

let house: Harness
let admin: Client

beforeAll(async () => {
  house = await harness({ MARKETPLACE: 'on', ROLE: 'all', ADMIN_TOKEN: token })
  admin = createClient({ baseUrl: house.url, token, retries: 0 })
  await installed()
})
afterAll(() => house.close())

/** The service installs in the background, and writes the setting last. */
async function installed(): Promise<void> {
  await until(
    async () => (await house.database.query("select value from settings where key = 'marketplace'")).rows,
    (rows) => rows.length === 1,
  )
}

test('a new version is installed; what somebody edited or deleted stays as it is', async () => {
  const next = mkdtempSync(join(tmpdir(), 'tocsin-marketplace-'))
  try {
    cpSync(folder, next, { recursive: true })
    for (const project of ['aave', 'lido', 'safe'])
      change(next, `projects/${project}.yaml`, 'shortDescription: ', 'shortDescription: New. ')
    change(next, 'triggers/safe/transaction-failed.yaml', 'title: Transaction of a Safe failed', 'title: Failed')
    const lido = await admin.getProject({ fullname: 'common.lido' })
    await admin.saveProject({ fullname: lido.fullname, body: { ...lido, meta: { ...lido.meta, title: 'Our Lido' } } })
    await admin.deleteProject({ fullname: 'common.safe' })
    // Two processes that start together: one applies, the other finds nothing to do.
    const before = await auditCount()
    await Promise.all([install(next), install(next)])
    const short = async (fullname: string) => (await admin.getProject({ fullname })).meta.shortDescription
    expect(await short('common.aave')).toMatch(/^New\. /)
    expect(await short('common.lido')).not.toMatch(/^New\. /)
    const left = await admin.listProjects({ query: { workspace: 'common' } })
    expect(left.map(({ name }) => name)).not.toContain('safe')
    expect(await auditCount()).toBe(before + 1)
    await install(next)
    expect(await auditCount()).toBe(before + 1)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
})

test('the next start installs the files of its own version', async () => {
  const before = await auditCount()
  await house.restart()
  admin = createClient({ baseUrl: house.url, token, retries: 0 })
  // The restart has the files of the repository again, so it takes the new text of the other version back.
  await until(
    () => admin.getProject({ fullname: 'common.aave' }),
    ({ meta }) => !meta.shortDescription?.startsWith('New. '),
  )
  expect(await auditCount()).toBe(before + 1)
})

test('a definition with an issue is not installed, and the next version that repairs it installs it', async () => {
  const next = mkdtempSync(join(tmpdir(), 'tocsin-marketplace-'))
  try {
    cpSync(folder, next, { recursive: true })
    const file = 'triggers/aave/repaid.yaml'
    const borrow = readFileSync(join(folder, 'triggers/aave/borrow.yaml'), 'utf8')
    writeFileSync(
      join(next, file),
      borrow.replace('name: borrow', 'name: repaid').replace('aave.borrow', 'aave.repaid'),
    )
    change(next, file, 'type: sdk', 'type: none')
    const warnings: string[] = []
    await install(next, (line) => warnings.push(line))
    expect(warnings).toEqual([
      expect.stringContaining('the trigger "common.aave.repaid" of the marketplace is not installed'),
    ])
    await expect(admin.getTrigger({ fullname: 'common.aave.repaid' })).rejects.toMatchObject({ code: 'not_found' })
    change(next, file, 'type: none', 'type: sdk')
    await install(next)
    expect(await admin.getTrigger({ fullname: 'common.aave.repaid' })).toMatchObject({ name: 'repaid' })
    await admin.deleteTrigger({ fullname: 'common.aave.repaid' })
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
})

function change(root: string, file: string, from: string, to: string): void {
  const text = readFileSync(join(root, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(root, file), text.replace(from, to))
}

/** What a start does with the files of another version. */
function install(from: string, warn: (line: string) => void = (line) => expect.fail(line)): Promise<void> {
  return installMarketplace({
    store: house.service.store,
    folder: from,
    warn,
    stacks: {
      plan: (_account, fullname, body) => admin.planStack({ fullname, body }),
      apply: (_account, fullname, body) => admin.applyStack({ fullname, body }).catch(asRefusal),
    },
  })
}

/** A handler refuses with a `Refusal`; the SDK makes an `ApiError` of it. */
function asRefusal(error: unknown): never {
  if (error instanceof ApiError && error.code === 'plan_changed') throw new Refusal('plan_changed', error.message)
  throw error
}

async function auditCount(): Promise<number> {
  const { rows } = await house.database.query(
    "select count(*)::int from audit_entries a join workspaces w on w.id = a.workspace_id where w.fullname = 'common' and action = 'project.save'",
  )
  return rows[0].count
}
