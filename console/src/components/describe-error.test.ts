import { ApiError, ConnectionError } from '@tocsin/sdk'
import { expect, test } from 'vitest'
import { describeError, issueSentence } from './describe-error.ts'

test.each([
  ['meta.title', 'is required', 'Title is required'],
  ['resources.1', '"acme.hook" is named twice', 'Resources 2 "acme.hook" is named twice'],
  ['defaults.links.0.url', 'must be a URL', 'Url must be a URL'],
  ['triggerSpec.dataSource', 'must be the fullname of a source', 'Data source must be the fullname of a source'],
  [
    'address',
    'An EVM address is 0x and 40 hexadecimal digits.',
    'Address: An EVM address is 0x and 40 hexadecimal digits.',
  ],
  ['', 'must be an object', 'must be an object'],
])('an issue at %j names its field', (path, message, sentence) => {
  expect(issueSentence({ path, message })).toBe(sentence)
})

test('a refusal shows its own message, a failure of the service shows the request id', () => {
  const refusal = (status: number, code: string, message: string) =>
    describeError(new ApiError(status, { error: { code, message, requestId: 'r1' } }))
  expect(refusal(409, 'last_owner', 'The last owner stays.')).toMatchObject({
    title: 'The last owner stays.',
    hint: expect.any(String),
  })
  expect(refusal(500, 'internal', 'It broke.')).toMatchObject({
    title: 'The service failed',
    text: 'It broke.',
    requestId: 'r1',
  })
  expect(describeError(new ConnectionError('no answer'))).toMatchObject({ title: 'The service cannot be reached' })
  expect(describeError(new Error('There is no sample.'))).toEqual({ title: 'There is no sample.', issues: [] })
})
