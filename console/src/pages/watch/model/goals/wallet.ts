import { goalTexts } from '../../../../layouts/watch/goal-texts.ts'
import { atLeast, equals, ofEmitter, sentOrReceived } from '../conditions.ts'
import { type Answers, type Choice, directionTexts, type Goal, leastText, type Part } from '../goal.ts'
import { coinDecimals, coinName } from '../units.ts'

const coinPart = (answers: Answers): Part => ({
  action: 'native_transfer',
  what: 'coin transfers',
  conditions: [
    sentOrReceived(answers, 'source.from', 'source.to'),
    ...atLeast(answers, 'source.value', coinDecimals(answers.source)),
  ],
})

const tokenPart = (answers: Answers): Part => ({
  action: 'erc20_transfer',
  what: 'token transfers',
  ...(answers.token !== '' && { spec: { contract: answers.token } }),
  conditions: [
    sentOrReceived(answers, 'source.params.from', 'source.params.to'),
    ...atLeast(answers, 'source.params.value', ofEmitter),
  ],
})

const all: Choice = {
  value: 'all',
  label: 'Coins and tokens',
  about: 'Every transfer of the native coin and of any token.',
  fields: ['direction'],
  says: ({ direction }, wallet) => `${wallet} ${directionTexts[direction]} coins or tokens`,
  parts: (answers) => [coinPart(answers), tokenPart(answers)],
}

const coin: Choice = {
  value: 'coin',
  label: 'Coins only',
  about: 'Transfers of the native coin, such as ether.',
  fields: ['direction', 'least'],
  unit: 'coin',
  says: (answers, wallet) =>
    `${wallet} ${directionTexts[answers.direction]} ${coinName(answers.source)}${leastText(answers, coinName(answers.source))}`,
  parts: (answers) => [coinPart(answers)],
}

const tokens: Choice = {
  value: 'tokens',
  label: 'Tokens',
  about: 'Transfers of one token or of any token.',
  fields: ['direction', 'tokenOptional', 'least'],
  unit: 'token',
  says: (answers, wallet) => `${wallet} ${directionTexts[answers.direction]} tokens${leastText(answers, 'tokens')}`,
  parts: (answers) => [tokenPart(answers)],
}

const nfts: Choice = {
  value: 'nfts',
  label: 'NFTs',
  about: 'Transfers of collectibles (ERC-721).',
  fields: ['direction'],
  says: ({ direction }, wallet) => `${wallet} ${directionTexts[direction]} an NFT`,
  parts: (answers) => [
    {
      action: 'erc721_transfer',
      what: 'NFT transfers',
      conditions: [sentOrReceived(answers, 'source.params.from', 'source.params.to')],
    },
  ],
}

const approvals: Choice = {
  value: 'approvals',
  label: 'Approvals',
  about: 'The wallet lets somebody spend its tokens. Often the first step of a theft.',
  fields: [],
  says: (_, wallet) => `${wallet} lets somebody spend its tokens`,
  parts: ({ subject }) => [
    { action: 'erc20_approval', what: 'approvals', conditions: equals('source.params.owner', subject) },
  ],
}

const transfers: Choice = {
  value: 'transfers',
  label: 'Transfers',
  about: 'Transfers of the native coin.',
  fields: ['direction', 'least'],
  unit: 'coin',
  says: (answers, wallet) =>
    `${wallet} ${directionTexts[answers.direction]} ${coinName(answers.source)}${leastText(answers, coinName(answers.source))}`,
  parts: (answers) => [
    {
      action: 'balances_transfer',
      what: 'transfers',
      conditions: [
        sentOrReceived(answers, 'source.params.from', 'source.params.to'),
        ...atLeast(answers, 'source.params.amount', coinDecimals(answers.source)),
      ],
    },
  ],
}

const signed: Choice = {
  value: 'signed',
  label: 'Token transfers',
  about: 'Transfers of tokens that the wallet signs.',
  fields: [],
  says: (_, wallet) => `${wallet} sends tokens`,
  parts: ({ subject }) => [
    { action: 'spl_transfer', what: 'token transfers', conditions: equals('source.params.authority', subject) },
  ],
}

export const wallet: Goal = {
  name: 'wallet',
  ...goalTexts.wallet,
  kinds: {
    evm: {
      subject: { label: 'Wallet address', example: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' },
      choices: [all, coin, tokens, nfts, approvals],
    },
    substrate: {
      subject: { label: 'Account', example: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' },
      choices: [transfers],
    },
    solana: {
      subject: { label: 'Wallet address', example: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' },
      choices: [signed],
    },
  },
}
