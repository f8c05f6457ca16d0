import { Group } from '@mantine/core'
import { atLeast } from '../../data/workspace.ts'
import { ProjectFrame } from '../../frames/project/project-frame.tsx'
import { NewTriggerButton, TriggerTable } from './trigger-table.tsx'

export function ProjectTriggersPage() {
  return (
    <ProjectFrame>
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
    </ProjectFrame>
  )
}
