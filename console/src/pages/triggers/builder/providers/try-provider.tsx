import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { IssueList } from '../../../../components/issue-list.tsx'
import { api } from '../../../../data/api.ts'
import { AddressJson } from '../../../../layouts/address/address-json.tsx'
import { useSources } from '../../../../layouts/address/use-sources.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import { sourceOf } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'

/** Calls one provider with the values of the sample. The live preview uses the result. */
export function TryProvider({ builder: { state, dispatch }, provider }: { builder: Builder; provider: Fields }) {
  const { definition, sample, inputs, providersData } = state
  const source = useSources().find(sourceOf(definition.triggerSpec))
  const test = useMutation({
    mutationFn: () =>
      api.testProvider({
        body: {
          triggerSpec: definition.triggerSpec,
          provider,
          project: definition.project,
          workspace: definition.workspace,
          templateValues: { source: sample ?? {}, inputs, providers: providersData },
        },
      }),
    onSuccess: ({ valid, result }) => {
      if (valid) dispatch({ type: 'provided', id: textOf(provider.id), value: result })
    },
  })
  const call = test.data?.debug.providers[textOf(provider.id)]
  return (
    <div>
      <Group gap="sm" mb="xs">
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Test provider
        </Button>
        {test.data?.valid && (
          <Text size="sm" c="dimmed">
            Responded{call && ` in ${Math.round(call.durationMs)} ms`}
          </Text>
        )}
        {!sample && (
          <Text size="sm" c="dimmed">
            There is no sample, so {'{{source.…}}'} is empty.
          </Text>
        )}
      </Group>
      <ErrorNotice error={test.error} />
      {test.data && !test.data.valid && <IssueList title="The provider failed" issues={test.data.issues} />}
      {test.data?.valid && <AddressJson value={test.data.result} label="result" maxHeight={200} source={source} />}
    </div>
  )
}
