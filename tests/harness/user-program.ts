/** What a user of the packed packages runs: a program, the examples of docs/sdk.md, and an account at a service. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { customSource, sharedHarness } from './index.ts'
import type { UserProject } from './packages.ts'

/** A program of a user in plain JavaScript. */
export const program = `
import { errorTable } from '@tocsin/contract'
import { ApiError, createClient } from '@tocsin/sdk'

export async function useApi(baseUrl, token) {
  const client = createClient({ baseUrl, token })
  const { status } = await client.getHealth()
  const missing = await client.getProject({ fullname: 'no.such' }).catch((error) => error)
  const workspaces = await client.listWorkspaces()
  return [status, missing instanceof ApiError && missing.code, errorTable[missing.code].status, workspaces.length].join(' ')
}
`

/** The examples of the documentation, each as a module, and a module that runs the program and all of them. */
export function writeMain(project: UserProject): string {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/sdk.md'), 'utf8')
  const examples = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, example = ''], at) => {
    project.write(`example-${at}.js`, example)
    return `await import('./example-${at}.js')`
  })
  if (examples.length <= 5) throw new Error('docs/sdk.md has too few examples in JavaScript.')
  project.write('program.js', program)
  const result = "import { useApi } from './program.js'\nconst { TOCSIN_URL, TOCSIN_TOKEN } = process.env"
  const shown = 'console.log(await useApi(TOCSIN_URL, TOCSIN_TOKEN))'
  return project.write('main.js', [result, ...examples, shown, 'process.exit(0)'].join('\n'))
}

export async function environment(): Promise<{ TOCSIN_URL: string; TOCSIN_TOKEN: string }> {
  const house = await sharedHarness()
  const user = await house.person('user')
  const [workspace] = await user.listWorkspaces()
  const fullname = `${workspace?.fullname}.node`
  // The example of the stream ends with the first event, which is the status of a source.
  await user.saveCustomSource({ fullname, body: customSource(fullname) })
  return { TOCSIN_URL: house.url, TOCSIN_TOKEN: user.token }
}
