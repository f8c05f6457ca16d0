import { Button, Menu, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Details } from '../../../../components/details.tsx'
import { IconPlus } from '../../../../components/icons.tsx'
import type { Fields } from '../../model/definition.ts'
import { providerForms } from '../../model/provider-forms.ts'
import { withParts } from '../../model/provider-options.ts'
import type { Builder } from '../state/builder-state.ts'
import { NumberFields } from './number-fields.tsx'
import { ProviderCard } from './provider-card.tsx'

const providersMax = 20

/** The providers, which run in this order before activation and transform. */
export function ProvidersTab({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const { providers } = state.definition
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Providers fetch data that the item does not contain. They run in order. Scripts and later providers read each
        result as providers.id. Texts may contain placeholders such as {'{{source.params.to}}'} or {'{{inputs.limit}}'}.
      </Text>
      {providers.map((provider, at) => (
        <ProviderCard
          // biome-ignore lint/suspicious/noArrayIndexKey: the id of a provider can change, and its order is its position
          key={at}
          builder={builder}
          at={at}
          provider={provider}
          issues={issues}
        />
      ))}
      {providers.length < providersMax && (
        <Menu position="bottom-start" width={320}>
          <Menu.Target>
            <Button variant="default" leftSection={<IconPlus />} style={{ alignSelf: 'flex-start' }}>
              Add provider
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {providerForms.map(({ title, about, blank }) => (
              <Menu.Item
                key={title}
                onClick={() =>
                  dispatch({
                    type: 'putProvider',
                    at: providers.length,
                    provider: { id: freeId(providers.map(({ id }) => id)), ...blank },
                  })
                }
              >
                <Text size="sm" fw={550}>
                  {title}
                </Text>
                <Text size="xs" c="dimmed">
                  {about}
                </Text>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <RunLimits builder={builder} issues={issues} />
    </Stack>
  )
}

function freeId(taken: unknown[]): string {
  let count = taken.length + 1
  while (taken.includes(`p${count}`)) count++
  return `p${count}`
}

const limits = [
  [
    'maxProviderCallsPerRun',
    'Provider calls',
    '1 to 50. Leave empty for 20, or one for each provider if there are more.',
  ],
  ['timeoutMs', 'Time for all providers (ms)', '100 to 30,000. Leave empty for 10,000.'],
  ['maxResponseBytes', 'Size of an answer (bytes)', '1,024 to 1,048,576. Leave empty for 262,144.'],
  ['maxExecutionConcurrency', 'Runs at the same time', '1 to 32. Leave empty for 4.'],
] as const

/** The limits of one run of the trigger. Without any limit the definition has no execution policy. */
function RunLimits({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const policy = state.definition.executionPolicy ?? {}
  const put = (part: Fields) => {
    const next = withParts(policy, part)
    dispatch({ type: 'change', part: { executionPolicy: Object.keys(next).length === 0 ? null : next } })
  }
  const errorOf = (name: string) => issues.find(({ path }) => path === `executionPolicy.${name}`)?.message
  return (
    <Details summary="Limits of a run" isOpen={Object.keys(policy).length > 0}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" role="group" aria-label="Limits of a run">
        <NumberFields fields={limits} values={policy} put={put} errorOf={errorOf} />
      </SimpleGrid>
    </Details>
  )
}
