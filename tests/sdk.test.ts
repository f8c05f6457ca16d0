import { expect, test } from 'vitest'
import { sharedHarness } from './harness/index.ts'

test('each.listX gives every item of a list over all its pages, once and in order', async () => {
  const ann = await (await sharedHarness()).person('ann')
  for (const name of ['each-a', 'each-b', 'each-c', 'each-d'])
    await ann.saveWorkspace({ fullname: name, body: { fullname: name } })
  const seen: string[] = []
  for await (const { fullname } of ann.each.listWorkspaces({ query: { limit: 2 } })) seen.push(fullname)
  expect(seen).toEqual((await ann.listWorkspaces()).map(({ fullname }) => fullname))
  expect(seen).toHaveLength(5)
})

test('each.listX that is left early reads no further page, and a refusal reaches the loop', async () => {
  const house = await sharedHarness()
  const ann = await house.person('ann')
  for await (const { level } of ann.each.listWorkspaces({ query: { limit: 1 } })) {
    expect(level).toBe('owner')
    break
  }
  const refused = house.nobody.each.listWorkspaces().next()
  await expect(refused).rejects.toMatchObject({
    name: 'ApiError',
    code: 'unauthenticated',
    requestId: expect.any(String),
  })
})
