import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, harness } from './harness/index.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'
import { recordAnswers, recordCalls } from './harness/recorded-examples.ts'

let mail: Mailbox
let house: Harness
let other: Harness
beforeAll(async () => {
  mail = await startMailbox()
  // Browsers offer passkeys for localhost, not for an IP address.
  const smtp = { SMTP_URL: mail.url, MAIL_FROM: 'alerts@tocsin.example' }
  const oidc = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'tocsin' }
  const variables = { SECURE_SETUP: 'on', HOST: 'localhost', ...smtp, ...oidc }
  house = await harness(variables)
  other = await harness(variables)
})
afterAll(async () => {
  await house.close()
  await other.close()
  await mail.close()
})

test('the examples of the OpenAPI document are what the service is asked and answers', async () => {
  const recorded = { ...(await recordAnswers(house)), ...(await recordCalls(other, await other.team('acme'))) }
  const text = `${JSON.stringify(recorded, null, 2)}\n`
  // After a change: npm test -- tests/recorded-examples.test.ts -u
  await expect(text).toMatchFileSnapshot('../server/src/api/reference/examples.json')
})
