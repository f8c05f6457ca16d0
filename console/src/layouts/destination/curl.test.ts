import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

test('the command passes every character of the request to curl as it is', () => {
  const body = `{"text":"it's $HOME \`x\` \\"quoted\\" !"}`
  const headers = { 'content-type': 'application/json', 'webhook-signature': '•••' }
  const command = curlOf({ method: 'POST', url: 'https://hooks.example/…', headers, body })
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], { encoding: 'utf8' })
  expect(printed.split('\n').slice(0, -1)).toEqual([
    ...['-X', 'POST', 'https://hooks.example/…'],
    ...['-H', 'content-type: application/json', '-H', 'webhook-signature: •••'],
    ...['--data-raw', body],
  ])
})
