import { Button, Stack, Textarea } from '@mantine/core'
import { Details } from '../../../components/details.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { api } from '../../../data/api.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { useForm } from '../../../forms/use-form.ts'
import { findProject } from '../model/go-live.ts'
import { type Offer, offersOfPasted } from '../model/offers.ts'

type PasteAbiProps = { hasOffers: boolean; read: (offers: Offer[]) => void; source: string; address: string }

/** For a contract whose interface nobody published: the user pastes it. */
export function PasteAbi({ hasOffers, read, source, address }: PasteAbiProps) {
  const { fullname: workspace } = useWorkspace()
  const form = useForm({
    initial: { abi: '' },
    check: ({ abi }) => (abi.trim() === '' ? [{ path: 'abi', message: 'Paste the interface first.' }] : []),
    save: async ({ abi }) => {
      const project = await findProject(api, workspace)
      const body = { project, source, contract: address, abi }
      const { drafts } = await api.importEvmDrafts({ body })
      read(offersOfPasted(drafts))
    },
  })
  return (
    <Details summary={hasOffers ? 'Something is missing? Paste the interface' : 'Paste the interface'}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm" mt="sm">
          <Textarea
            label="Interface of the contract"
            description="The ABI as its developers give it: JSON, or one line for each event and function."
            autosize
            minRows={3}
            maxRows={12}
            {...form.text('abi')}
          />
          <ErrorNotice error={form.failure} shownElsewhere={(path) => path === 'abi'} />
          <div>
            <Button type="submit" variant="default" loading={form.isSaving}>
              Read it
            </Button>
          </div>
        </Stack>
      </form>
    </Details>
  )
}
