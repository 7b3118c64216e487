import{B as e,Kt as t,et as n,t as r,tt as i}from"./graphql-C5kPhaMt.js";var a=r(`
  query Contacts($filter: ContactFilter, $orderBy: ContactOrder, $after: String, $entry: Boolean!) {
    contacts(first: 100, after: $after, filter: $filter, orderBy: $orderBy) {
      totalCount @include(if: $entry)
      warnings
      pageInfo { hasNextPage endCursor }
      nodes { id name phone email tags source createdAt lastInteractionAt optIn { status } company { id nome } }
    }
    lists(first: 100) @include(if: $entry) { nodes { id name } }
    segments(first: 100) @include(if: $entry) { nodes { id name } }
  }
`),o=r(`
  query ContactPage($id: ID!) {
    contact(id: $id) {
      id name phone email avatarUrl tags source createdAt updatedAt lastInteractionAt externalId attributes
      whatsappProfileName papelNaEmpresa
      optIn { status source at revokedAt revokedReason }
      optOuts { canal em motivo origem }
      documentos { cpf cnpj nascimento }
      company { id nome }
      lists { id name }
      cards(first: 5) { nodes { id titulo status valor moeda } }
      timeline(first: 30) { warnings pageInfo { hasNextPage endCursor } nodes {
        __typename id kind at
        ... on MessageEntry { channel direction status failure body subject }
        ... on ClickEntry { clickChannel: channel host shortUrl clicks }
        ... on CustomerEventEntry { name value currency }
        ... on StageMoveEntry { tipo titulo de { nome } para { nome } porNome }
        ... on ConsentEntry { canal optInStatus consentSource: source consentReason: reason }
        ... on PushEntry { platform deliveryStatus pushTitle: titulo }
      } }
    }
  }
`),s=r(`
  query ContactTimeline($id: ID!, $after: String, $kinds: [TimelineKind!]) {
    contact(id: $id) {
      id
      timeline(first: 50, after: $after, filter: { kinds: $kinds }) { warnings pageInfo { hasNextPage endCursor } nodes {
        __typename id kind at
        ... on MessageEntry { channel direction status failure body subject }
        ... on ClickEntry { clickChannel: channel host shortUrl clicks }
        ... on CustomerEventEntry { name value currency }
        ... on StageMoveEntry { tipo titulo de { nome } para { nome } porNome }
        ... on ConsentEntry { canal optInStatus consentSource: source consentReason: reason }
        ... on PushEntry { platform deliveryStatus pushTitle: titulo }
      } }
    }
  }
`),c=r(`
  query ContactNow($id: ID!) {
    contact(id: $id) { id name email externalId tags attributes updatedAt }
  }
`),l=r(`
  mutation CreateContact($input: CreateContactInput!) {
    createContact(input: $input) { id name phone }
  }
`),u=r(`
  mutation ChangeContact($id: ID!, $input: UpdateContactInput!) {
    updateContact(id: $id, input: $input) { id name email externalId tags attributes updatedAt }
  }
`),d=r(`
  mutation CloseChannel($input: OptOutContactsInput!) {
    optOutContacts(input: $input) { registrados jaEstavam }
  }
`),f=r(`
  mutation OpenChannel($input: OptInContactsInput!) {
    optInContacts(input: $input) { registrados naoEstavam anterioresARevogacao fechadosParaTodos }
  }
`),p=r(`
  mutation RevealDocuments($id: ID!) {
    revealContactDocuments(id: $id) { cpf cnpj nascimento }
  }
`),m=r(`
  query ImportLists {
    lists(first: 100) { nodes { id name } }
  }
`),h=r(`
  mutation ImportContacts($input: ImportContactsInput!) {
    importContacts(input: $input) {
      criados atualizados inalterados ignorados
      erros { linha campo codigo mensagem }
      warnings { linha campo codigo mensagem }
    }
  }
`),g=r(`
  query SegmentFields {
    contactFields { items { key label tipo origem filtravel operadores campo } }
  }
`),_=r(`
  query SegmentCount($input: SegmentPreviewInput!) {
    segmentPreview(input: $input) { count partial }
  }
`),v=r(`
  mutation CreateSegment($input: CreateSegmentInput!) {
    createSegment(input: $input) { id name }
  }
`),y=r(`
  query WhatGoes($id: ID!) {
    contact(id: $id) {
      id
      lists { id }
      messages(first: 1) { totalCount }
      waiting: messages(first: 1, filter: { status: [QUEUED], direction: OUTBOUND }) { totalCount }
      journeyRuns(first: 1, filter: { estado: ATIVA }) { totalCount }
      customerEvents(first: 1) { totalCount }
      cards(first: 1) { totalCount }
    }
  }
`),b=r(`
  mutation EraseContact($id: ID!) {
    deleteContact(id: $id) { id }
  }
`),x=r(`
  query PersonalData($id: ID!) {
    personalData(id: $id) { filename mediaType content }
  }
`),S=n({title:[`Contatos`,`Contacts`],search:[`Buscar por nome, e-mail ou telefone`,`Search by name, e-mail or phone`],filters:[`Filtros`,`Filters`],tag:[`Etiqueta`,`Tag`],consent:[`Consentimento`,`Consent`],source:[`Origem`,`Source`],list:[`Lista`,`List`],segment:[`Segmento`,`Segment`],order:[`Ordem`,`Order`],newest:[`Mais novos primeiro`,`Newest first`],changed:[`Alterados por último`,`Last changed`],active:[`Escreveram por último`,`Wrote last`],any:[`Todos`,`All`],clear:[`Limpar filtros`,`Clear filters`],name:[`Nome`,`Name`],phone:[`Telefone`,`Phone`],email:[`E-mail`,`E-mail`],company:[`Empresa`,`Company`],tags:[`Etiquetas`,`Tags`],created:[`Criado`,`Created`],noQ:[`A busca por nome ou telefone precisa da permissão pii:full; ela foi deixada de lado.`,`Searching by name or phone needs the permission pii:full; it was left out.`],none:[`Nenhum contato ainda`,`No contacts yet`],noneSentence:[`Crie o primeiro, ou importe uma planilha.`,`Create the first one, or import a sheet.`],noFit:[`Ninguém com estes filtros`,`Nobody with these filters`],noFitSentence:[`Tire um filtro, ou busque por outra parte do nome.`,`Take a filter away, or search for another part of the name.`],create:[`Novo contato`,`New contact`],save:[`Salvar`,`Save`],saving:[`Salvando…`,`Saving…`],made:[`Contato criado.`,`Contact created.`],phoneHint:[`Com DDD; de outro país, com +.`,`With area code; of another country, with +.`],tagsHint:[`Separadas por vírgula.`,`Separated by commas.`],gone:[`Este contato não existe mais`,`This contact is not there any more`],goneSentence:[`Ele pode ter sido apagado, ou é de outro ambiente.`,`It may have been erased, or belongs to another environment.`],all:[`Todos os contatos`,`All contacts`],edit:[`Editar`,`Edit`],saved:[`Alterações salvas.`,`Changes saved.`],about:[`Dados`,`Facts`],externalId:[`Id no seu sistema`,`Id in your system`],since:[`Contato desde`,`Contact since`],lastWrote:[`Escreveu por último`,`Last wrote`],lists:[`Listas`,`Lists`],attributes:[`Atributos`,`Attributes`],documents:[`Documentos`,`Documents`],birth:[`Nascimento`,`Date of birth`],reveal:[`Mostrar documentos`,`Show documents`],revealNote:[`Quem os vê fica registrado na auditoria.`,`Who sees them is written to the audit trail.`],deals:[`Negócios`,`Deals`],channels:[`Canais`,`Channels`],openChannel:[`Aberto`,`Open`],closedSince:[`Fechado em {date}`,`Closed on {date}`],close:[`Fechar`,`Close`],reopen:[`Reabrir`,`Open again`],closeTitle:[`Fechar {channel}`,`Close {channel}`],closeNote:[`Nada mais sai para este contato por este canal, até que ele peça de novo.`,`Nothing more goes to this contact on this channel, until the person asks again.`],reason:[`Motivo`,`Reason`],reopenTitle:[`Reabrir {channel}`,`Open {channel} again`],reopenNote:[`Só se a pessoa pediu. Onde ela pediu fica guardado como prova.`,`Only where the person asked for it. Where it was asked for is kept as proof.`],where:[`Onde a pessoa pediu`,`Where the person asked`],whereHint:[`Por exemplo: loja, telefone, formulário do site.`,`For example: shop, phone, form of the site.`],allFirst:[`Todos os canais estão fechados: reabra «Todos os canais» primeiro.`,`All channels are closed: open “All channels” first.`],closedNow:[`Canal fechado.`,`Channel closed.`],openNow:[`Canal reaberto.`,`Channel opened again.`],timeline:[`Linha do tempo`,`Timeline`],everything:[`Tudo`,`Everything`],MESSAGE:[`Mensagens`,`Messages`],CLICK:[`Cliques`,`Clicks`],CONSENT:[`Consentimento`,`Consent`],CUSTOMER_EVENT:[`Eventos`,`Events`],STAGE_MOVE:[`Negócios`,`Deals`],PUSH:[`Push`,`Push`],earlier:[`Mostrar anteriores`,`Show earlier`],beginning:[`Aqui começa a história.`,`That is the beginning.`],nothing:[`Nada aconteceu ainda.`,`Nothing has happened yet.`],leftOut:[`Não aparecem, por falta de permissão: {kinds}.`,`Left out, for want of a permission: {kinds}.`],received:[`Recebida por {channel}`,`{channel} received`],sent:[`Enviada por {channel}`,`{channel} sent`],clicked:[`Abriu um link para {host}`,`Followed a link to {host}`],pushed:[`Push para {platform}`,`Push to {platform}`],CRIADO:[`Negócio criado`,`Deal created`],MOVIDO:[`Negócio avançou`,`Deal moved`],GANHO:[`Negócio ganho`,`Deal won`],PERDIDO:[`Negócio perdido`,`Deal lost`],REABERTO:[`Negócio reaberto`,`Deal reopened`],TRANSFERIDO:[`Negócio transferido`,`Deal transferred`],agreed:[`Aceitou mensagens`,`Agreed to messages`],refused:[`Recusou mensagens`,`Refused messages`],withdrawn:[`Consentimento retirado`,`Consent withdrawn`],importContacts:[`Importar`,`Import`],importTitle:[`Importar contatos`,`Import contacts`],file:[`Planilha`,`Sheet`],fileHint:[`CSV cuja primeira linha diz o nome de cada coluna: Nome, Telefone, E-mail, Etiquetas… Ele é lido neste navegador; só o que você importar sai daqui.`,`CSV whose first line names the columns: Name, Phone, E-mail, Tags… It is read in this browser; only what you import leaves it.`],read:[`{name}: {lines} {lines:linha|linhas}, {columns} {columns:coluna|colunas}`,`{name}: {lines} {lines:line|lines}, {columns} {columns:column|columns}`],emptySheet:[`A planilha não tem linhas`,`The sheet has no lines`],emptySheetSentence:[`A primeira linha diz o nome de cada coluna; os contatos vêm da segunda em diante.`,`The first line names the columns; the contacts stand in the second and after.`],workbook:[`Isto é um arquivo do Excel, não um CSV`,`This is a workbook, not a CSV`],workbookSentence:[`No Excel ou no Google Planilhas, salve ou baixe a planilha como CSV, e escolha aqui o arquivo novo.`,`In Excel or Google Sheets, save or download the sheet as CSV, and choose the new file here.`],tooLarge:[`Esta planilha é grande demais`,`This sheet is too large`],tooLargeSentence:[`Ela tem mais de {columns} colunas ou de {megabytes} MB. Divida a planilha, ou tire as colunas que não vai importar.`,`It has more than {columns} columns, or {megabytes} MB. Divide the sheet, or take out columns that you do not import.`],shortened:[`{count} {count:telefone perdeu|telefones perderam} algarismos no Excel (ficaram como 5,51199E+12). Na planilha, formate a coluna como texto, escreva os telefones e salve de novo.`,`{count} {count:phone|phones} lost digits in Excel (they read 5.51199E+12). In the sheet, make the column a text, write the phones and save it again.`],faultyPhone:[`Este telefone não é válido: escreva com DDD, como (11) 98765-4321.`,`This phone is not valid: write it with its area code, such as (11) 98765-4321.`],faultyDay:[`Escreva a data como 31/12/1990.`,`Write the date as 31/12/1990.`],mapping:[`O que cada coluna é`,`What each column is`],column:[`Coluna`,`Column`],example:[`Primeira linha`,`First line`],becomes:[`Vira`,`Becomes`],becomesOf:[`{name} vira`,`{name} becomes`],nothingOf:[`Não importar`,`Do not import`],attributeOf:[`Atributo «{name}»`,`Attribute “{name}”`],ifExists:[`Se o contato já existe`,`If the contact exists`],change:[`Atualizar`,`Change it`],ignore:[`Deixar como está`,`Leave it as it is`],error:[`Dizer que é erro`,`Call it an error`],toList:[`Pôr todos na lista`,`Put all on the list`],noList:[`Nenhuma`,`None`],needsKey:[`Diga qual coluna é o telefone, ou o id no seu sistema.`,`Say which column is the phone, or the id in your system.`],consentNote:[`Na coluna de consentimento, «sim» vira consentimento com a origem «import»; outro texto não diz nada.`,`In a column of consent, “yes” becomes consent with the source “import”; any other text says nothing.`],try:[`Ensaiar`,`Try`],trying:[`Ensaiando…`,`Trying…`],tryFirst:[`O ensaio não grava nada.`,`Trying stores nothing.`],importNow:[`Importar {count} {count:linha|linhas}`,`Import {count} {count:line|lines}`],importing:[`Importando…`,`Importing…`],wouldHappen:[`O que aconteceria`,`What would happen`],happened:[`O que aconteceu`,`What happened`],progress:[`Progresso`,`Progress`],createdCount:[`Criados`,`Created`],updatedCount:[`Atualizados`,`Changed`],sameCount:[`Sem novidade`,`Unchanged`],skippedCount:[`Deixados`,`Left`],faultyCount:[`Com erro`,`Faulty`],faults:[`Linhas com erro ou aviso`,`Lines with a fault or a warning`],saveFaults:[`Baixar as linhas com erro`,`Save the faulty lines`],faultsFile:[`linhas-com-erro.csv`,`faulty-lines.csv`],moreFaults:[`E mais {count}; o arquivo tem todas.`,`And {count} more; the file has all.`],line:[`Linha`,`Line`],fieldName:[`Campo`,`Field`],why:[`Por quê`,`Why`],saveSegment:[`Salvar como segmento`,`Save as a segment`],segmentTitle:[`Novo segmento`,`New segment`],segmentName:[`Nome do segmento`,`Name of the segment`],segmentMade:[`Segmento criado.`,`Segment created.`],notInSegment:[`A busca por texto e a origem não entram no segmento.`,`The search for a text and the source are not part of the segment.`],operator:[`Comparação`,`Comparison`],value:[`Valor`,`Value`],severalHint:[`Separados por vírgula`,`Separated by commas`],days:[`dias`,`days`],addCondition:[`Mais uma condição`,`One more condition`],removeCondition:[`Tirar a condição`,`Remove the condition`],finds:[`Encontra {count} {count:contato|contatos}`,`Finds {count} {count:contact|contacts}`],findsAbout:[`Encontra cerca de {count} contatos`,`Finds about {count} contacts`],granted:[`Consentiu`,`Agreed`],denied:[`Recusou`,`Refused`],unknown:[`Não se sabe`,`Unknown`],yes:[`Sim`,`Yes`],no:[`Não`,`No`],is:[`é`,`is`],isNot:[`não é`,`is not`],in:[`é um de`,`is one of`],notIn:[`não é nenhum de`,`is none of`],contains:[`contém`,`contains`],startsWith:[`começa com`,`begins with`],gt:[`maior que`,`greater than`],gte:[`a partir de`,`at least`],lt:[`menor que`,`less than`],lte:[`até`,`at most`],between:[`entre`,`between`],exists:[`tem valor`,`has a value`],notExists:[`não tem valor`,`has no value`],before:[`antes de`,`before`],after:[`depois de`,`after`],withinDays:[`nos últimos dias`,`within days`],notWithinDays:[`não nos últimos dias`,`not within days`],erase:[`Apagar`,`Erase`],erasing:[`Apagando…`,`Erasing…`],erased:[`Contato apagado.`,`Contact erased.`],eraseTitle:[`Apagar {name}?`,`Erase {name}?`],goes:[`O que vai embora, para sempre`,`What goes, for good`],goesFacts:[`Nome, telefone, e-mail, documentos, etiquetas e atributos`,`Name, phone, e-mail, documents, tags and attributes`],goesLists:[`O lugar em {count} {count:lista|listas}, e os links curtos`,`Its place on {count} {count:list|lists}, and short links`],stays:[`O que fica, sem dizer de quem é`,`What stays, without saying whose it is`],staysMessages:[`{count} {count:mensagem|mensagens}, com estado, custo e datas`,`{count} {count:message|messages}, with status, cost and dates`],staysEvents:[`{count} {count:evento|eventos}, nas somas`,`{count} {count:event|events}, in the sums`],staysCards:[`{count} {count:negócio|negócios}`,`{count} {count:deal|deals}`],staysRefusal:[`O que a pessoa recusou: nada sai para ela, mesmo que volte por importação`,`What the person refused: nothing is sent, even when it comes back by an import`],goesWaiting:[`{count} {count:mensagem que espera sair é cancelada|mensagens que esperam sair são canceladas}`,`{count} {count:message that waits to leave is called off|messages that wait to leave are called off}`],goesRuns:[`{count} {count:jornada em andamento termina|jornadas em andamento terminam}, e os aparelhos de push`,`{count} {count:journey under way ends|journeys under way end}, and devices for push`],staysNotes:[`O que a equipe escreveu nos negócios: confira se fala da pessoa`,`What the team wrote on deals: look whether it speaks of the person`],typeName:[`Para confirmar, escreva o nome: {wanted}`,`To confirm, type the name: {wanted}`],typePhone:[`Para confirmar, escreva os 4 últimos algarismos do telefone: {wanted}`,`To confirm, type the last 4 digits of the phone: {wanted}`],noWayBack:[`Não há volta.`,`There is no way back.`],write:[`Enviar mensagem`,`Send a message`],personal:[`Dados da pessoa`,`The person's data`],personalNote:[`Quando a pessoa pede (LGPD): entregue tudo o que está guardado sobre ela, ou apague.`,`When the person asks (LGPD): hand over everything that is stored of them, or erase it.`],mayNotGive:[`Para entregar os dados falta a permissão {scope}.`,`To hand the data over, the permission {scope} is missing.`],give:[`Entregar os dados`,`Hand the data over`],giveTitle:[`Dados de {name}`,`Data of {name}`],giveWhat:[`Um arquivo com tudo o que está guardado: cadastro, documentos, consentimentos e recusas, listas, jornadas, mensagens, cliques, aparelhos e eventos.`,`A file with everything that is stored: the record, documents, consents and refusals, lists, journeys, messages, clicks, devices and events.`],giveCare:[`O arquivo tem documentos e endereços por inteiro: entregue só à própria pessoa. Quem o baixa fica registrado na auditoria.`,`The file has documents and addresses in full: hand it to the person alone. Who downloads it is written to the audit trail.`],giveFile:[`Baixar o arquivo`,`Download the file`],giving:[`Reunindo…`,`Putting it together…`],giveAgain:[`Baixar de novo`,`Download again`],given:[`O arquivo foi para os seus downloads. Ele tem:`,`The file is among your downloads. It has:`],consentimentos:[`Consentimentos`,`Consents`],recusas:[`Recusas`,`Refusals`],supressoes:[`Endereços sem e-mail`,`Addresses without e-mail`],listas:[`Listas`,`Lists`],jornadas:[`Jornadas`,`Journeys`],mensagens:[`Mensagens`,`Messages`],conversas:[`Conversas`,`Conversations`],cliques:[`Links`,`Links`],dispositivos:[`Aparelhos`,`Devices`],eventos:[`Eventos`,`Events`],attributeName:[`Nome do atributo`,`Name of the attribute`],attributeKind:[`Tipo`,`Kind`],attributeValue:[`Valor`,`Value`],kind_text:[`Texto`,`Text`],kind_number:[`Número`,`Number`],kind_boolean:[`Sim ou não`,`Yes or no`],kind_list:[`Textos, por vírgula`,`Texts, by commas`],drop:[`Tirar`,`Drop`],dropAttribute:[`Tirar o atributo {name}`,`Drop the attribute {name}`],addAttribute:[`Mais um atributo`,`One more attribute`]}),C=t(),w={field:`tag`,operator:`is`,value:``},T=new Set([`exists`,`notExists`]),E=new Set([`in`,`notIn`,`between`]),D=new Set([`withinDays`,`notWithinDays`]),O=e=>(e.contactFields?.items??[]).filter(e=>e.filtravel&&e.campo),k=e=>T.has(e.operator)||e.value.trim()!==``;function A(e){let t=/^-?\d{1,3}(\.\d{3})*,\d+$|^-?\d+,\d+$/.test(e)?e.replaceAll(`.`,``).replace(`,`,`.`):e;return t===``||Number.isNaN(Number(t))?e:Number(t)}function j(e,t){let n=t.find(t=>t.campo===e.field)?.tipo,r=t=>n===`NUMERO`||D.has(e.operator)?A(t):n===`BOOLEANO`?t===`true`:n===`DATA`&&/^\d{4}-\d{2}-\d{2}$/.test(t)?`${t}T00:00:00Z`:t;if(!T.has(e.operator))return E.has(e.operator)?e.value.split(`,`).map(e=>r(e.trim())):r(e.value.trim())}function M({rows:t,all:n,change:r,children:a}){let o=i(S),s=(e,n)=>r(t.map((t,r)=>r===e?{...t,...n}:t));return(0,C.jsxs)(C.Fragment,{children:[(0,C.jsx)(`ul`,{className:`conditions`,children:t.map((i,a)=>{let c=n.find(e=>e.campo===i.field),l=c?.operadores??[i.operator];return(0,C.jsxs)(`li`,{children:[(0,C.jsxs)(`select`,{"aria-label":o(`fieldName`),value:i.field,onChange:e=>{let t=n.find(t=>t.campo===e.target.value);s(a,{field:e.target.value,operator:t?.operadores[0]??`is`,value:``})},children:[!c&&(0,C.jsx)(`option`,{value:i.field,children:i.field}),n.map(e=>(0,C.jsx)(`option`,{value:e.campo,children:e.origem===`PADRAO`?N(e.campo,e.label,o):e.label},e.campo))]}),(0,C.jsx)(`select`,{"aria-label":o(`operator`),value:i.operator,onChange:e=>s(a,{operator:e.target.value}),children:l.map(e=>(0,C.jsx)(`option`,{value:e,children:o(e)},e))}),T.has(i.operator)?(0,C.jsx)(`span`,{}):(0,C.jsx)(P,{row:i,kind:c?.tipo,change:e=>s(a,{value:e})}),(0,C.jsx)(`button`,{type:`button`,className:`button bare small`,"aria-label":o(`removeCondition`),onClick:()=>r(t.filter((e,t)=>t!==a)),children:(0,C.jsx)(e,{name:`close`,size:16})})]},a)})}),(0,C.jsxs)(`div`,{className:`row`,children:[(0,C.jsxs)(`button`,{type:`button`,className:`button small`,onClick:()=>r([...t,w]),children:[(0,C.jsx)(e,{name:`plus`,size:15}),` `,o(`addCondition`)]}),a]})]})}function N(e,t,n){switch(e){case`tag`:return n(`tag`);case`optIn`:return n(`consent`);case`lastInteraction`:return n(`lastWrote`);case`channel`:return n(`channels`);default:return t}}function P({row:e,kind:t,change:n}){let r=i(S);if(e.field===`optIn`&&!E.has(e.operator))return(0,C.jsxs)(`select`,{"aria-label":r(`value`),value:e.value,onChange:e=>n(e.target.value),children:[(0,C.jsx)(`option`,{value:``}),(0,C.jsx)(`option`,{value:`granted`,children:r(`granted`)}),(0,C.jsx)(`option`,{value:`denied`,children:r(`denied`)}),(0,C.jsx)(`option`,{value:`unknown`,children:r(`unknown`)})]});if(t===`BOOLEANO`)return(0,C.jsxs)(`select`,{"aria-label":r(`value`),value:e.value,onChange:e=>n(e.target.value),children:[(0,C.jsx)(`option`,{value:``}),(0,C.jsx)(`option`,{value:`true`,children:r(`yes`)}),(0,C.jsx)(`option`,{value:`false`,children:r(`no`)})]});let a=t===`DATA`&&!D.has(e.operator)?`date`:`text`;return(0,C.jsx)(`input`,{"aria-label":r(`value`),type:E.has(e.operator)?`text`:a,inputMode:t===`NUMERO`||D.has(e.operator)?`decimal`:`text`,placeholder:E.has(e.operator)?r(`severalHint`):D.has(e.operator)?r(`days`):``,value:e.value,onChange:e=>n(e.target.value)})}export{y as C,p as S,h as _,j as a,x as b,d as c,c as d,l as f,g,b as h,k as i,o as l,s as m,w as n,S as o,v as p,O as r,u as s,M as t,a as u,m as v,_ as x,f as y};