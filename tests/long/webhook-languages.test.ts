import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const page = readFileSync(new URL('../../docs/guide/webhooks.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'webhook-languages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** How each program of the page is run. A language that this machine lacks is skipped. */
const languages = [
  { language: 'js', file: 'verify.mjs', command: [process.execPath] },
  { language: 'python', file: 'verify.py', command: ['python3'] },
  { language: 'go', file: 'verify.go', command: ['go', 'run'], version: 'version' },
  { language: 'java', file: 'Verify.java', command: ['java'] },
  { language: 'php', file: 'verify.php', command: ['php'] },
]

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"type":"alert","id":"a1","data":{"title":"Grüße, 1 250 €"}}'

function signed(timestamp: number): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`a1.${timestamp}.${body}`).digest('base64')}`
}

const has = (command: string, version = '--version') => spawnSync(command, [version]).status === 0

// The first compilation of Go takes a minute on a busy machine.
test.for(languages)(
  'the program in $language accepts a genuine webhook and no other',
  { timeout: 180_000 },
  (each, { skip }) => {
    const { language, file, command, version } = each
    const code = new RegExp(`^\`\`\`${language} verify\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1]
    expect(code).toBeDefined()
    const [program = '', ...args] = command
    if (!has(program, version)) skip(`${program} is not on this machine`)
    writeFileSync(join(folder, file), code ?? '')
    const run = (input: string, timestamp: number, signature: string) =>
      spawnSync(program, [...args, join(folder, file)], {
        input,
        env: {
          ...{ PATH: process.env.PATH, HOME: folder, GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod' },
          ...{
            WEBHOOK_ID: 'a1',
            WEBHOOK_TIMESTAMP: String(timestamp),
            WEBHOOK_SIGNATURE: signature,
            WEBHOOK_SECRET: secret,
          },
        },
      }).status
    const now = Math.floor(Date.now() / 1000)
    expect(run(body, now, signed(now))).toBe(0)
    expect(run(body, now, `v1,b2xk ${signed(now)}`)).toBe(0)
    expect(run(`${body} `, now, signed(now))).toBe(1)
    expect(run(body, now - 400, signed(now - 400))).toBe(1)
  },
)
