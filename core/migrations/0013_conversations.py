from tortoise import migrations
from tortoise.migrations import operations as ops
from core.conversations.models import BatchKind
from core.flows.models import FlowStatus, MetaStatus
from core.foundation.database.indexes import WhereIndex
from core.journeys.models import JourneyStatus
from core.media.models import MediaKind
from core.messaging.models import Channel, Status
from core.numbers.models import NameStatus, NumberStatus, Quality, Tier
from core.templates.models import TemplateCategory, TemplateStatus
from orjson import loads
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0012_push')]

    initial = False

    operations = [
        ops.CreateModel(
            name='CampaignCompletion',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('campaign_id', fields.CharField(max_length=80)),
                ('last_send_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('completed_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'campaign_completions', 'app': 'core', 'pk_attr': 'id', 'table_description': "That a campaign's completion was told, up to its last send; a later send makes it due again."},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='CampaignCompletion',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'campaign_id'), name='campaign_completions_once'),
        ),
        ops.CreateModel(
            name='ConversationPair',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('sender_id', fields.CharField(max_length=30)),
                ('identity', fields.BinaryField()),
                ('contact_id', fields.CharField(null=True, max_length=30)),
                ('platform_address', fields.CharField(null=True, max_length=40)),
                ('last_inbound_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('next_send_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'conversation_pairs', 'app': 'core', 'pk_attr': 'id', 'table_description': 'A sender of ours and a person: when that person last wrote, and when the pair may be used again.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='ConversationPair',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'sender_id', 'identity'), name='conversation_pairs_once'),
        ),
        ops.CreateModel(
            name='Flow',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('number_id', fields.CharField(max_length=30)),
                ('name', fields.CharField(max_length=200)),
                ('description', fields.CharField(null=True, max_length=1000)),
                ('status', fields.CharEnumField(description='DRAFT: draft\nACTIVE: active\nPAUSED: paused\nDEPRECATED: deprecated\nARCHIVED: archived', enum_type=FlowStatus, max_length=10)),
                ('version', fields.IntField()),
                ('version_of', fields.CharField(null=True, max_length=30)),
                ('meta_flow_id', fields.CharField(null=True, max_length=40)),
                ('meta_status', fields.CharEnumField(null=True, description='DRAFT: DRAFT\nPUBLISHED: PUBLISHED\nDEPRECATED: DEPRECATED\nBLOCKED: BLOCKED\nTHROTTLED: THROTTLED', enum_type=MetaStatus, max_length=10)),
                ('meta_categories', ArrayField(db_default='{}', element_type='TEXT')),
                ('flow_json', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('published_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'flows', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id']), Index(fields=['meta_flow_id'])], 'pk_attr': 'id', 'table_description': 'A flow of one number. `version_of`: the id of the published record that this one is to replace.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='InstagramAccount',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('instagram_id', fields.CharField(max_length=40)),
                ('username', fields.CharField(max_length=60)),
                ('credentials', fields.TextField(null=True, unique=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'instagram_accounts', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id'])], 'pk_attr': 'id', 'table_description': "An Instagram account that takes part in conversations. `instagram_id` is the platform's own id."},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='InstagramAccount',
            constraint=UniqueConstraint(fields=('instagram_id',), name='instagram_accounts_once_on_the_platform'),
        ),
        ops.CreateModel(
            name='Journey',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('name', fields.CharField(max_length=120)),
                ('status', fields.CharEnumField(description='DRAFT: rascunho\nACTIVE: ativa\nPAUSED: pausada\nARCHIVED: arquivada', enum_type=JourneyStatus, max_length=10)),
                ('trigger', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('reentry', fields.CharField(max_length=16)),
                ('reentry_hours', fields.IntField(null=True)),
                ('quiet', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('frequency_cap', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('goal', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('steps', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('entry_step_id', fields.CharField(null=True, max_length=64)),
                ('paused_by', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('activated_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('version', fields.IntField(db_default=1)),
                ('version_of', fields.CharField(null=True, max_length=30)),
                ('replaced_by_id', fields.CharField(null=True, max_length=30)),
                ('entries_ended', fields.BooleanField(null=True)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'journeys', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id'])], 'pk_attr': 'id', 'table_description': "A journey with its graph of steps. `trigger`, `steps`, `goal` and the like are the interface's objects."},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='MediaFile',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('number_id', fields.CharField(max_length=30)),
                ('kind', fields.CharEnumField(description='IMAGE: image\nAUDIO: audio\nVIDEO: video\nDOCUMENT: document\nSTICKER: sticker', enum_type=MediaKind, max_length=8)),
                ('mime_type', fields.CharField(max_length=120)),
                ('filename', fields.CharField(max_length=255)),
                ('size', fields.BigIntField()),
                ('sha256', fields.CharField(max_length=64)),
                ('voice', fields.BooleanField()),
                ('blob_key', fields.CharField(null=True, max_length=200)),
                ('platform_id', fields.CharField(null=True, max_length=200)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('expires_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'media_files', 'app': 'core', 'indexes': [WhereIndex(fields=['expires_at'], name='media_files_to_remove', where='blob_key IS NOT NULL')], 'pk_attr': 'id', 'table_description': 'A file that was uploaded for a number. Its id is ours; `platform_id` is the one that the platform gave it.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='MessageBatch',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('kind', fields.CharEnumField(description='BULK: bulk\nRESEND: resend', enum_type=BatchKind, max_length=6)),
                ('number_id', fields.CharField(null=True, max_length=30)),
                ('template_id', fields.CharField(null=True, max_length=30)),
                ('campaign_id', fields.CharField(null=True, max_length=80)),
                ('accepted', fields.IntField()),
                ('refused', fields.IntField()),
                ('coins_estimated', fields.BigIntField()),
                ('canceled_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'message_batches', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id'])], 'pk_attr': 'id', 'table_description': 'Messages that were taken in by one call. Their states are those of the messages.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='Number',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('phone_number_id', fields.CharField(max_length=40)),
                ('waba_id', fields.CharField(max_length=40)),
                ('phone', fields.CharField(max_length=16)),
                ('status', fields.CharEnumField(description='AVAILABLE: available\nCONNECTED: connected\nDISCONNECTED: disconnected\nFLAGGED: flagged\nPENDING: pending', enum_type=NumberStatus, max_length=12)),
                ('quality_rating', fields.CharEnumField(description='GREEN: green\nYELLOW: yellow\nRED: red\nUNKNOWN: unknown', enum_type=Quality, max_length=8)),
                ('messaging_tier', fields.CharEnumField(description='TIER_250: tier_250\nTIER_1K: tier_1k\nTIER_2K: tier_2k\nTIER_10K: tier_10k\nTIER_100K: tier_100k\nUNLIMITED: unlimited', enum_type=Tier, max_length=10)),
                ('rate_per_second', fields.IntField()),
                ('rate_per_day', fields.IntField()),
                ('verified_name', fields.CharField(null=True, max_length=200)),
                ('byo', fields.BooleanField(null=True)),
                ('name_status', fields.CharEnumField(null=True, description='APPROVED: approved\nPENDING: pending\nREJECTED: rejected\nEXPIRED: expired\nNONE: none', enum_type=NameStatus, max_length=8)),
                ('partner_removed_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('partner_removed_reason', fields.CharField(null=True, max_length=24)),
                ('profile', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('credentials', fields.TextField(null=True, unique=False)),
                ('last_meta_sync_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'numbers', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id']), Index(fields=['waba_id'])], 'pk_attr': 'id', 'table_description': "A phone number on the conversational platform. `phone_number_id` and `waba_id` are the platform's own ids."},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='Number',
            constraint=UniqueConstraint(fields=('phone_number_id',), name='numbers_once_on_the_platform'),
        ),
        ops.AddConstraint(
            model_name='Number',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'phone'), name='numbers_once'),
        ),
        ops.CreateModel(
            name='PlatformNotice',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('field', fields.CharField(max_length=60)),
                ('line', fields.CharField(null=True, max_length=40)),
                ('body', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('attempts', fields.SmallIntField(db_default=0)),
                ('received_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('due_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'platform_notices', 'app': 'core', 'indexes': [Index(fields=['due_at'])], 'pk_attr': 'id', 'table_description': 'What the platform told, as it came: acknowledged at once, applied by a worker, and then gone. Personal data.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='Template',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('number_id', fields.CharField(max_length=30)),
                ('name', fields.CharField(max_length=512)),
                ('language', fields.CharField(max_length=8)),
                ('category', fields.CharEnumField(description='MARKETING: marketing\nUTILITY: utility\nAUTHENTICATION: authentication', enum_type=TemplateCategory, max_length=16)),
                ('status', fields.CharEnumField(description='DRAFT: draft\nSUBMITTED: submitted\nPENDING: pending\nAPPROVED: approved\nREJECTED: rejected\nPAUSED: paused\nDISABLED: disabled', enum_type=TemplateStatus, max_length=10)),
                ('components', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('header_example_url', fields.CharField(null=True, max_length=2048)),
                ('meta_template_id', fields.CharField(null=True, max_length=40)),
                ('version', fields.IntField()),
                ('version_of', fields.CharField(null=True, max_length=30)),
                ('rejection_reason', fields.CharField(null=True, max_length=500)),
                ('due_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'templates', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id']), WhereIndex(fields=['due_at'], name='templates_due', where='due_at IS NOT NULL'), WhereIndex(fields=['meta_template_id'], name='templates_upstream', where='meta_template_id IS NOT NULL')], 'pk_attr': 'id', 'table_description': 'A template of one number, in one language. `version_of`: the id of the record that this one is to replace.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='Template',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'number_id', 'name', 'language', 'version'), name='templates_once'),
        ),
        ops.CreateModel(
            name='WaitingMessage',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('message_id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('sender_id', fields.CharField(max_length=30)),
                ('identity', fields.BinaryField()),
                ('urgency', fields.SmallIntField()),
                ('force', fields.BooleanField(db_default=False)),
                ('is_marketing', fields.BooleanField(db_default=False)),
                ('due_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'waiting_messages', 'app': 'core', 'indexes': [Index(fields=['sender_id', 'urgency', 'due_at', 'created_at', 'message_id']), Index(fields=['due_at']), Index(fields=['organization_id', 'env', 'identity'])], 'pk_attr': 'message_id', 'table_description': 'A message that is still to be handed over; whoever takes the row away decides what becomes of the message.'},
            bases=['OwnedModel'],
        ),
        ops.AlterField(
            model_name='Message',
            name='channel',
            field=fields.CharEnumField(description='SMS: sms\nRCS: rcs\nEMAIL: email\nWHATSAPP: whatsapp\nINSTAGRAM: instagram', enum_type=Channel, max_length=10),
        ),
        ops.AlterField(
            model_name='Message',
            name='provider_reference',
            field=fields.CharField(null=True, max_length=200),
        ),
        ops.AlterField(
            model_name='Message',
            name='status',
            field=fields.CharEnumField(description='QUEUED: queued\nSENDING: sending\nSENT: sent\nDELIVERED: delivered\nFAILED: failed\nUNDELIVERED: undelivered\nREAD: read\nBOUNCED: bounced\nCOMPLAINED: complained\nARCHIVED: archived', enum_type=Status, max_length=12),
        ),
        ops.AddField(
            model_name='Message',
            name='attempts',
            field=fields.SmallIntField(null=True),
        ),
        ops.AddField(
            model_name='Message',
            name='batch_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Message',
            name='force',
            field=fields.BooleanField(null=True),
        ),
        ops.AddField(
            model_name='Message',
            name='instagram_account_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Message',
            name='last_error',
            field=fields.CharField(null=True, max_length=200),
        ),
        ops.AddField(
            model_name='Message',
            name='link_origin',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Message',
            name='media',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Message',
            name='number_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Message',
            name='original_error',
            field=fields.CharField(null=True, max_length=200),
        ),
        ops.AddField(
            model_name='Message',
            name='priority',
            field=fields.CharField(null=True, max_length=8),
        ),
        ops.AddField(
            model_name='Message',
            name='replaced_by',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Message',
            name='reprocessed',
            field=fields.BooleanField(null=True),
        ),
        ops.AddField(
            model_name='Message',
            name='scheduled_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='Message',
            name='sent_by_account_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Message',
            name='template_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Message',
            name='template_vars',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Message',
            name='type',
            field=fields.CharField(null=True, max_length=12),
        ),
        ops.AddField(
            model_name='Message',
            name='upstream_code',
            field=fields.CharField(null=True, max_length=20),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['organization_id', 'env', 'number_id', 'created_at', 'id'], name='messages_by_number', where='number_id IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['organization_id', 'env', 'batch_id', 'created_at'], name='messages_by_batch', where='batch_id IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['organization_id', 'env', 'sent_by_account_id', 'created_at'], name='messages_by_operator', where='sent_by_account_id IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['organization_id', 'env', 'number_id', 'sent_at'], name='messages_sent_by_number', where="number_id IS NOT NULL AND sent_at IS NOT NULL AND direction = 'outbound'"),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['organization_id', 'env', 'template_id', 'created_at'], name='messages_by_template', where='template_id IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['organization_id', 'env', 'channel', 'status', 'created_at', 'id'], name='conversations_by_rare_status', where="channel IN ('whatsapp', 'instagram') AND status IN ('queued', 'sending', 'sent', 'failed', 'archived')"),
        ),
    ]
