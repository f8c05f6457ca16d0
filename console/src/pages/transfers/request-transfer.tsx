import { Button, List, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { DiffList } from '../../components/diff-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconTransfer } from '../../components/icons.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Section } from '../../components/page.tsx'
import type { Body } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import type { Project } from '../../layouts/project/access.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'

export function RequestTransferPage() {
  return (
    <ProjectLayout>
      {({ view }) =>
        view.level === 'owner' ? (
          <RequestTransfer project={view} />
        ) : (
          <EmptyState
            icon={IconTransfer}
            title="Owners only"
            text="Only an owner of this workspace can transfer the project."
          />
        )
      }
    </ProjectLayout>
  )
}

/** Shows the plan first. The request refers to exactly this plan. */
function RequestTransfer({ project: { fullname, name, workspace } }: { project: Project }) {
  const navigate = useNavigate()
  const plan = useChange('planTransfer')
  const request = useChange('createTransferRequest', {
    notice: 'Request sent. An owner of the target workspace must accept it.',
    after: () => navigate({ to: '/w/$workspace/transfers', params: { workspace }, search: { direction: 'outgoing' } }),
  })
  const form = useForm({
    initial: { targetWorkspace: '', targetName: name },
    check: ({ targetWorkspace, targetName }) => [
      ...nameIssue('targetWorkspace', targetWorkspace),
      ...nameIssue('targetName', targetName),
    ],
    save: (body) => plan.mutateAsync({ fullname, body }),
  })
  const found = plan.data
  return (
    <>
      <Section
        title="Transfer project"
        about="The project moves when an owner of the target workspace accepts. Its triggers keep running."
      >
        <form onSubmit={form.submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Target workspace"
              description="The name of the workspace. Its members find it in their settings."
              {...form.text('targetWorkspace')}
            />
            <TextInput label="New project name" {...form.text('targetName')} />
            <FormFooter
              failure={form.failure}
              isSaving={form.isSaving}
              verb="Show plan"
              shownElsewhere={(path) => path in form.values}
            />
          </Stack>
        </form>
      </Section>
      {found && (
        <Section title="Plan" about="The changes of this transfer. Nothing has changed yet.">
          <Stack gap="md">
            <PlanDiff plan={found} />
            <ErrorNotice error={request.error} />
            {found.conflicts.length === 0 && (
              <Button
                style={{ alignSelf: 'flex-start' }}
                loading={request.isPending}
                onClick={() =>
                  request.mutate({
                    fullname,
                    body: {
                      targetWorkspace: found.target.workspace,
                      targetName: found.target.name,
                      expectedPlanHash: found.planHash,
                    },
                  })
                }
              >
                Send request
              </Button>
            )}
          </Stack>
        </Section>
      )}
    </>
  )
}

type Plan = Body<'planTransfer'>
const shownMax = 100

/** A transfer plan as a diff of old and new names. */
function PlanDiff({ plan }: { plan: Plan }) {
  const { counts, changes, conflicts } = plan
  const moves = [
    { kind: 'project', ...changes.project },
    ...changes.triggers.map((move) => ({ kind: 'trigger', ...move })),
    ...changes.resources.map((move) => ({ kind: 'destination', ...move })),
  ]
  return (
    <>
      {conflicts.length > 0 && (
        <Notice tone="bad" title="The project cannot be moved there">
          <List size="sm">
            {conflicts.map(({ code, message, entity }) => (
              <List.Item key={`${code} ${entity}`}>
                {message} {entity && <code>{entity}</code>}
              </List.Item>
            ))}
          </List>
          <Text size="sm" mt={4}>
            Choose another workspace or another name, then show the plan again.
          </Text>
        </Notice>
      )}
      <Facts
        facts={[
          ['Triggers', counts.triggers],
          ['Templates', counts.templates],
          ['Destinations', counts.resources],
          ['Subscriptions', counts.subscriptions],
          ['Access links', counts.accessLinks],
          ['Aliases', counts.aliases],
        ]}
      />
      <DiffList
        label="Names that change"
        differences={moves.slice(0, shownMax).map(({ kind, from, to }) => ({ title: kind, from, to }))}
      />
      {moves.length > shownMax && <Text c="dimmed">and {moves.length - shownMax} more</Text>}
    </>
  )
}
