import { type Receiver, startReceiver } from './deliveries.ts'
import { type Harness, harness, type Person, project, resource } from './index.ts'

export type HouseWithHook = { house: Harness; ann: Person; receiver: Receiver }

/** A service with all roles: Ann's workspace `acme`, its project `acme.p`, and `acme.hook`, a webhook to a local receiver. */
export async function houseWithHook(
  extra: { project?: Parameters<typeof project>[1]; hook?: Parameters<typeof resource>[1] } = {},
): Promise<HouseWithHook> {
  const house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' })
  const receiver = await startReceiver()
  const ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p', extra.project) })
  await ann.saveResource({
    fullname: 'acme.hook',
    body: resource('acme.hook', { data: { url: receiver.url }, ...extra.hook }),
  })
  return { house, ann, receiver }
}
