"""Media, in Portuguese."""

SENTENCES = {
    (
        "The messaging platform failed to take or to give the file; nothing was "
        "stored. Try again later."
    ): (
        "A plataforma de mensagens não conseguiu receber ou entregar o arquivo; nada foi gravado. "
        "Tente de novo mais tarde."
    ),
    "The message names a file that is unknown, expired or of another number; upload it again.": (
        "A mensagem indica um arquivo desconhecido, vencido ou de outro número; "
        "envie o arquivo de novo."
    ),
    "This is no file of the number; a file can be used for 30 days": (
        "Este arquivo não é do número; um arquivo pode ser usado por 30 dias"
    ),
    "The file is empty; send its bytes.": "O arquivo está vazio; envie os bytes dele.",
    "Send the bytes of the file": "Envie os bytes do arquivo",
    "The body stopped arriving or took too long; send the file again.": (
        "O corpo parou de chegar ou demorou demais; envie o arquivo de novo."
    ),
    "Too many files are arriving at this moment; send it again in a few seconds.": (
        "Há arquivos demais chegando neste momento; envie de novo em alguns segundos."
    ),
    "Send the file's name": "Envie o nome do arquivo",
    "The headers that name the file and its type are missing.": (
        "Faltam os cabeçalhos que dizem o nome e o tipo do arquivo."
    ),
    "Name it in x-filename and its type in x-content-type; send its bytes as the body.": (
        "Diga o nome em x-filename e o tipo em x-content-type; envie os bytes como corpo."
    ),
    "The body is announced as something that is no JSON.": (
        "O corpo se anuncia como algo que não é JSON."
    ),
    "Send JSON, or the bytes of the file to `/numbers/{{numberId}}/media/binary`.": (
        "Envie JSON, ou os bytes do arquivo para `/numbers/{{numberId}}/media/binary`."
    ),
    (
        "The header `Range` asks for bytes behind the end of the file; "
        "`Content-Range` tells its length."
    ): (
        "O cabeçalho `Range` pede bytes depois do fim do arquivo; `Content-Range` "
        "diz o tamanho dele."
    ),
    "Ask for a part that is there, or leave the header out.": (
        "Peça um trecho que exista, ou omita o cabeçalho."
    ),
    (
        "No byte of the body came for 30 seconds, or from then on less than 10 kB a second, or it "
        "was not whole after half an hour. Nothing was stored."
    ): (
        "Nenhum byte do corpo chegou por 30 segundos, ou a partir daí menos de 10 kB por segundo, "
        "ou ele não estava completo depois de meia hora. Nada foi gravado."
    ),
    "Send the file again, over a faster line.": (
        "Envie o arquivo de novo, por uma conexão mais rápida."
    ),
    "The connection was closed before the whole body had come. Nothing was stored.": (
        "A conexão foi fechada antes de o corpo chegar inteiro. Nada foi gravado."
    ),
    "Send the file again.": "Envie o arquivo de novo.",
    "`dataBase64` holds something else than base64, or lacks its padding.": (
        "`dataBase64` contém algo que não é base64, ou falta o preenchimento."
    ),
    (
        "Encode the bytes by RFC 4648, in the alphabet with `+` and `/`; white space "
        "may stand anywhere in it."
    ): (
        "Codifique os bytes pela RFC 4648, no alfabeto com `+` e `/`; espaços em "
        "branco podem ficar em qualquer lugar."
    ),
    "The file has no bytes.": "O arquivo não tem bytes.",
    "Send them as the body.": "Envie-os como corpo.",
    "The messaging platform did not take the file, or did not give it. Nothing was stored.": (
        "A plataforma de mensagens não aceitou o arquivo, ou não o entregou. Nada foi gravado."
    ),
    "Try again later; `meta.upstreamCode` is the platform's own code, where it told one.": (
        "Tente de novo mais tarde; `meta.upstreamCode` é o código da própria "
        "plataforma, quando ela informou um."
    ),
    (
        "As many files are arriving as one process takes at once, or one "
        "organization may send at once."
    ): (
        "Chegam ao mesmo tempo tantos arquivos quantos um processo aceita, ou "
        "quantos uma organização pode enviar."
    ),
    "Wait for `Retry-After` and send the file again.": (
        "Espere o `Retry-After` e envie o arquivo de novo."
    ),
    "No messaging platform is configured in this installation. Nothing was stored.": (
        "Nenhuma plataforma de mensagens está configurada nesta instalação. Nada foi gravado."
    ),
}
