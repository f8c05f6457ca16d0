import { Button, Menu, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { IconPlus } from '../../../../components/icons.tsx'
import { providerKinds } from '../../model/provider-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import { ProviderCard } from './provider-card.tsx'
import { RunLimits } from './run-limits.tsx'

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
            {providerKinds.map(({ key, title, about, blank }) => (
              <Menu.Item
                key={key}
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
