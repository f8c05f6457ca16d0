import { Skeleton, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useApiQuery } from '../../../data/queries.ts'
import { DefinitionDiff, diffOf } from '../builder/saving/definition-diff.tsx'
import { definitionOf, type Trigger } from '../model/definition.ts'
import { readDefinition } from '../model/read-definition.ts'

/** What changed from an earlier version to the live one. */
export function CompareVersions({ trigger, number }: { trigger: Trigger; number: number }) {
  const { fullname } = trigger
  const { data, error, refetch } = useApiQuery('getTriggerVersion', { fullname, number: String(number) })
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  const before = readDefinition(data.definition)
  if (!before) return <Text>The console cannot read this version, because a newer service saved it.</Text>
  const lines = diffOf(before, definitionOf(trigger))
  if (lines.every(({ kind }) => kind === 'same')) return <Text>The live version is the same as version {number}.</Text>
  return <DefinitionDiff lines={lines} />
}
