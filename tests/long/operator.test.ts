import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remedyAccount } from '../../server/src/domain/accounts/operator.ts'
import { checkedClient, type Harness, harness, type Person, rejects } from '../harness/index.ts'
import { spawnScript } from '../harness/process.ts'

/** `npm run account`: what the operator of the machine can do for an account, and what refuses to run. */

const key = 'operator '.repeat(5)
const folder = mkdtempSync(join(tmpdir(), 'tocsin-operator-'))
let house: Harness
let ann: Person
/** Her client with a token that outlives her sessions. */
let lasting: ReturnType<typeof checkedClient>
beforeAll(async () => {
  house = await harness({ SECRET_KEY: key })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  const { token } = await ann.createToken({ body: { name: 'lasting' } })
  lasting = checkedClient(house.url, token)
})
afterAll(async () => {
  await house?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs an entry of the server as `npm run` does. */
async function run(entry: string, args: string[], env: Record<string, string>) {
  const child = spawnScript(`server/src/${entry}.ts`, args, env)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}
const here = () => ({ DATABASE_URL: house.databaseUrl, SECRET_KEY: key, PUBLIC_URL: 'https://alerts.example.org' })
const actions = async () =>
  (await lasting.listAudit({ fullname: 'acme' })).map(({ action, actor }) => [action, actor.name])

test('a lost token is replaced by a new one, and the accounts are listed, while the service runs', async () => {
  const listed = await run('account', [], here())
  expect(listed).toMatchObject({
    code: 0,
    output: expect.stringMatching(new RegExp(`^${ann.email} .*1 token.*acme`, 'm')),
  })
  const { code, output } = await run('account', [ann.email.toUpperCase()], here())
  const [token = ''] = /tocsin_\S+|\S{32,}$/m.exec(output) ?? []
  expect(code).toBe(0)
  expect((await checkedClient(house.url, token).getMe()).email).toBe(ann.email)
  expect(await actions()).toContainEqual(['account.token', 'Operator of the service'])
})

test('a link sets a new password once, and ends the sessions', async () => {
  const { output } = await run('account', [ann.email, '--password-link'], here())
  const [, token = ''] = /https:\/\/alerts\.example\.org\/reset-password#(\S+)/.exec(output) ?? []
  expect(await actions()).toContainEqual(['account.password-link', 'Operator of the service'])
  const body = { token, password: 'a long new passphrase' }
  await house.nobody.resetPassword({ body })
  await rejects(house.nobody.resetPassword({ body }), { code: 'invalid_payload' })
  const { token: session } = await house.nobody.signIn({ body: { email: ann.email, password: body.password } })
  const { store } = house.service
  const wanted = { email: ann.email, names: ['end-sessions', 'remove-second-factor'] as const, publicUrl: '' }
  expect(await remedyAccount(store, wanted, house.clock.now())).toHaveLength(2)
  await rejects(checkedClient(house.url, session).getMe(), { code: 'unauthenticated' })
})

test('an unknown address, a wrong option and a second address are refused with what to do', async () => {
  expect(await run('account', ['nobody@example.org'], here())).toMatchObject({
    code: 1,
    output: 'There is no account with the address nobody@example.org. npm run account lists them.\n',
  })
  expect(await run('account', [ann.email, '--everything'], here())).toMatchObject({
    code: 1,
    output: expect.stringMatching(/--everything.*\nUsage: npm run account/s),
  })
  expect((await run('account', ['--help'], {})).code).toBe(0)
})

test.each(['backup', 'export'])('%s of a folder without a store says so and makes nothing', async (command) => {
  const env = { DATA_DIR: join(folder, 'wrong') }
  const { code, output } = await run(command, [join(folder, 'out')], env)
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/^There is no store in .*wrong\. Set DATA_DIR/),
  })
  expect((await run('account', [], env)).output).toMatch(/^There is no key in .*wrong\. Set DATA_DIR/)
})

test.each(['backup', 'restore', 'export', 'import', 'rotate-key', 'account'])(
  '%s --help says how it is used',
  async (command) => {
    expect(await run(command, ['--help'], {})).toEqual({
      code: 0,
      output: expect.stringMatching(new RegExp(`^Usage: npm run ${command}`)),
    })
  },
)

test('a refused restore names the command that takes the file all the same', async () => {
  const env = { DATABASE_URL: house.databaseUrl, DATA_DIR: join(folder, 'none') }
  const { output } = await run('restore', ['/backups/monday.tar.gz'], env)
  expect(output).toContain('run: npm run restore -- /backups/monday.tar.gz --unverified')
})
