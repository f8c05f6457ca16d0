import type { BodyInput, Routes } from '@tocsin/contract'

/** Minimal payloads; tests add the fields that they are about. */

export function project(
  fullname: string,
  extra: Partial<BodyInput<Routes['saveProject']>> = {},
): BodyInput<Routes['saveProject']> {
  const [workspace = '', name = ''] = fullname.split('.')
  return { name, fullname, workspace, public: false, meta: { title: name, description: `About ${name}` }, ...extra }
}

export function trigger(
  fullname: string,
  extra: Partial<BodyInput<Routes['saveTrigger']>> = {},
): BodyInput<Routes['saveTrigger']> {
  const [workspace = '', projectName = '', ...name] = fullname.split('.')
  return {
    name: name.join('.'),
    fullname,
    project: `${workspace}.${projectName}`,
    workspace,
    backend: { type: 'sdk' },
    inputs: {},
    meta: { title: name.join('.') },
    triggerSpec: { type: 'timer', interval: '1m' },
    ...extra,
  }
}

export function resource(
  fullname: string,
  extra: Partial<BodyInput<Routes['saveResource']>> = {},
): BodyInput<Routes['saveResource']> {
  const [workspace = '', name = ''] = fullname.split('.')
  return {
    name,
    fullname,
    workspace,
    blueprint: 'common.delivery.webhook',
    data: { url: 'https://example.org/hook' },
    ...extra,
  }
}

export function addressList(
  fullname: string,
  extra: Partial<BodyInput<Routes['saveAddressList']>> = {},
): BodyInput<Routes['saveAddressList']> {
  const [workspace = '', name = ''] = fullname.split('.')
  return { fullname, workspace, type: 'evm', addresses: [], meta: { title: name }, ...extra }
}

export function customSource(
  fullname: string,
  extra: Partial<BodyInput<Routes['saveCustomSource']>> = {},
): BodyInput<Routes['saveCustomSource']> {
  const [workspace = '', ...rest] = fullname.split('.')
  return {
    mode: 'create',
    name: rest.at(-1) ?? '',
    fullname,
    workspace,
    kind: 'evm',
    endpoints: ['https://rpc.example.org/v1/key-123'],
    meta: { title: fullname },
    ...extra,
  }
}

export function template(
  project: string,
  extra: Partial<BodyInput<Routes['createTemplate']>> = {},
): BodyInput<Routes['createTemplate']> {
  return {
    project,
    schema: { wallet: 'string' },
    groups: [{ name: 'main', meta: { title: 'Main', description: 'The main group' } }],
    topics: [{ name: 'moves', group: 'main', selectedByDefault: true, meta: { title: 'Moves' } }],
    rules: [{ id: 'r1', trigger: `${project}.moved`, topic: 'moves', deprecated: false, requiredValues: ['wallet'] }],
    meta: { title: 'Template', description: 'A template' },
    ...extra,
  }
}

/** A subscription to one trigger of a project, without resources. */
export function subscription(
  trigger: string,
  extra: Partial<BodyInput<Routes['createSubscription']>> = {},
): BodyInput<Routes['createSubscription']> {
  const [workspace = '', name = ''] = trigger.split('.')
  return { workspace, project: `${workspace}.${name}`, trigger, resources: [], ...extra }
}
