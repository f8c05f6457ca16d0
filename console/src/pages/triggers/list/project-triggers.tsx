import { Group } from '@mantine/core'
import { atLeast } from '../../../data/workspace.ts'
import { ProjectLayout } from '../../../layouts/project/project-layout.tsx'
import { NewTriggerButton, TriggerTable } from './trigger-table.tsx'

export function ProjectTriggersPage() {
  return (
    <ProjectLayout>
      {({ view: { fullname, workspace, level } }) => (
        <>
          {atLeast(level, 'developer') && (
            <Group justify="flex-end">
              <NewTriggerButton workspace={workspace} project={fullname} />
            </Group>
          )}
          <TriggerTable workspace={workspace} project={fullname} mayEdit={atLeast(level, 'developer')} />
        </>
      )}
    </ProjectLayout>
  )
}
