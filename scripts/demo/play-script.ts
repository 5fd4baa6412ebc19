import { DOCUMENTS } from '@assistant-bridge/sandbox/assistant/simulated-documents.ts';
import { findPrompt, openBrowserOf, pressSignIn, signIn } from '../../test/app/sign-in.ts';
import type { World } from '../../test/app/world.ts';
import { govern } from './govern.ts';
import { createNarrator, type Narrator, nextReply } from './narrator.ts';
import { setLimit } from './set-limit.ts';

const CHANNEL = 'C0GENERAL';
const QUESTION = 'What is left of the launch budget?';
/** Words that are only in answers to people who may read the budget: its name and its figures. */
const ONLY_IN_BUDGET = /launch budget|[\d,]+00\b/i;

/** The main jobs, from the first question to a tenant that matches the policy, with the real app, over real HTTP. */
export async function playScript(world: World): Promise<void> {
  const tell = createNarrator(world);
  console.log('Slack, the assistant service, its identity provider and the administrative interface run locally;');
  console.log('between them runs the real app. Ana has never used it.');
  const thread = await askAndSignIn(world, tell);
  await askAsBen(world, tell);
  await askInGerman(world, tell);
  await followUp(world, tell, thread);
  await askWithoutWeb(world, tell);
  await askAboutFile(world, tell, thread);
  await setLimit(world, tell);
  await govern(world, tell);
  summarise(world);
}

/** What was seen, in five lines. */
function summarise({ assistant, admin, slack }: World): void {
  const chats = assistant.ledger.chats();
  const conversations = new Set(chats.map(({ conversation }) => conversation)).size;
  const withoutWeb = chats.filter(({ isWebEnabled }) => isWebEnabled === false).length;
  const files = chats.reduce((sum, chat) => sum + chat.files.length, 0);
  const writes = admin.ledger.count(({ method, status }) => ['PUT', 'PATCH'].includes(method) && status === 200);
  console.log(`
Ana, Ben and Lena asked ${chats.length} questions in ${conversations} conversations, each answered once, with the asker’s own access rights.
Web search was off for ${withoutWeb} of them, and ${files} document went along with another.
Kim set a limit, stopped an agent, found what somebody had changed past the app, and set it back, in ${writes} writes.
The app made ${slack.ledger.calls().length} calls to Slack, ${assistant.ledger.count()} to the assistant service and ${admin.ledger.count()} to the administrative interface.
All of it worked.`);
}

type Thread = { channel: string; ts: string };

async function askAndSignIn(world: World, tell: Narrator): Promise<Thread> {
  const { slack, assistant } = world;
  tell.step('Ana mentions the assistant in #general');
  const question = await slack.as('U0ANA').say(CHANNEL, `${slack.mention} ${QUESTION}`);
  const prompt = await findPrompt(world, 'U0ANA');
  tell.show('She is asked to sign in, in her direct messages:', prompt);
  tell.check('nobody else sees that', slack.as('U0BEN').sees(CHANNEL, question.ts).length === 1);
  tell.check('the question waits, and the service has not been asked', assistant.ledger.chats().length === 0);

  tell.step('She presses the button and signs in, in her browser');
  const url = await pressSignIn(world, 'U0ANA', prompt);
  const browser = await openBrowserOf(world, 'U0ANA');
  const start = await browser.open(url);
  tell.say(`The page “${start.heading}” asks where answers to questions in channels should go.`);
  const confirm = await browser.submit(0, { channelAnswers: 'thread' });
  tell.say(`By way of Slack and the identity provider to the page “${confirm.heading}”:`);
  tell.say(confirm.text.split('\n').slice(1, 5).join(' '));
  const end = await browser.submit(0, { decision: 'connect' });
  tell.say(`She presses Connect: “${end.heading}”.`);

  tell.step('The question that waited is answered, in the thread, with her own access rights');
  const answer = await nextReply(world, 'U0ANA', question, question.ts);
  tell.show('The assistant:', answer);
  const [chat] = assistant.ledger.chats();
  tell.check('the service was asked once, as Ana', assistant.ledger.chats().length === 1 && chat?.subject === 'ana');
  tell.check('her Slack time zone went along', chat?.timeZone === 'Europe/Berlin');
  tell.check('it names the figures, and where they come from', ONLY_IN_BUDGET.test(slack.render(answer)));
  return question;
}

async function askAsBen(world: World, tell: Narrator): Promise<void> {
  const { slack, assistant } = world;
  tell.step('Ben, who may not open the budget, asks the same, and signs in');
  const question = await slack.as('U0BEN').say(CHANNEL, `${slack.mention} ${QUESTION}`);
  await signIn(world, 'U0BEN');
  const answer = await nextReply(world, 'U0BEN', question, question.ts);
  tell.show('The assistant, to the same question:', answer);
  tell.check('the service was asked as Ben', assistant.ledger.chats().at(-1)?.subject === 'ben');
  tell.check('nothing in the answer comes from the budget', !ONLY_IN_BUDGET.test(slack.render(answer)));
}

async function askInGerman(world: World, tell: Narrator): Promise<void> {
  const { slack } = world;
  tell.step('Lena has her Slack in German, and asks in German');
  const question = await slack.as('U0LENA').say(CHANNEL, `${slack.mention} Wann ist der Launch?`);
  tell.show('She is asked to sign in:', await findPrompt(world, 'U0LENA'));
  await signIn(world, 'U0LENA');
  const answer = await nextReply(world, 'U0LENA', question, question.ts);
  tell.show('The assistant:', answer);
  tell.check('she reads the app in German', slack.render(answer).includes('Quellen'));
}

async function followUp(world: World, tell: Narrator, thread: Thread): Promise<void> {
  const { slack, assistant } = world;
  tell.step('She goes on in the thread, without a mention');
  const question = await slack.as('U0ANA').say(CHANNEL, 'And who owns the launch?', { threadTs: thread.ts });
  tell.show('The assistant:', await nextReply(world, 'U0ANA', thread, question.ts));
  const [first, second] = assistant.ledger.chats().filter(({ subject }) => subject === 'ana');
  tell.check('it is the same conversation of the service', first?.conversation === second?.conversation);
}

async function askWithoutWeb(world: World, tell: Narrator): Promise<void> {
  const { slack, assistant } = world;
  tell.step('She asks with web search off: /assistant-web-off When is the launch?');
  await slack.as('U0ANA').command('/assistant-web-off', 'When is the launch?', CHANNEL);
  const root = await slack.until(
    () =>
      slack
        .as('U0ANA')
        .sees(CHANNEL)
        .find(({ botId, ephemeralFor }) => botId && !ephemeralFor),
    { what: 'the question, shown in the channel' },
  );
  tell.show('In #general:', root);
  tell.show('The assistant, in its thread:', await nextReply(world, 'U0ANA', root, root.ts));
  tell.check('web search was off for this one', assistant.ledger.chats().at(-1)?.isWebEnabled === false);
}

async function askAboutFile(world: World, tell: Narrator, thread: Thread): Promise<void> {
  const { slack, assistant } = world;
  tell.step('In the first thread she shares a link to a document');
  const question = await slack
    .as('U0ANA')
    .say(CHANNEL, `What does ${DOCUMENTS.plan.url} say?`, { threadTs: thread.ts });
  const answer = await nextReply(world, 'U0ANA', thread, question.ts);
  tell.show('The assistant:', answer);
  tell.check('it says what is in the document', slack.render(answer).includes('dress rehearsal'));
  const chat = assistant.ledger.chats().at(-1);
  tell.check('the document went along as a file', chat?.files.includes(DOCUMENTS.plan.url) === true);
  tell.check('web search is on again: it is never off for longer than one message', chat?.isWebEnabled !== false);
}
