import { Stack } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Part } from '../../../components/patterns/part.tsx'
import { FieldsTab } from './fields-tab.tsx'
import { ProvidersTab } from './providers/providers-tab.tsx'
import type { Builder } from './state/builder-state.ts'
import { TransformScripts } from './transform-scripts.tsx'

type DataTabProps = { builder: Builder; issues: Issue[]; raw: unknown }

/** What an alert knows: data that providers fetch, the scripts that make the output, and the fields that others see. */
export function DataTab(props: DataTabProps) {
  return (
    <Stack gap="xl">
      <Part isLarge title="Providers">
        <ProvidersTab {...props} />
      </Part>
      <Part isLarge title="Output">
        <TransformScripts {...props} />
      </Part>
      <Part isLarge title="Fields">
        <FieldsTab {...props} />
      </Part>
    </Stack>
  )
}
