from tortoise import migrations
from tortoise.migrations import operations as ops
from core.contacts.models import AttributeKind, CompanyRole, OptInStatus, Source
from core.foundation.database.indexes import ExpressionIndex, WhereIndex
from orjson import loads
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.contrib.postgres.indexes import GinIndex
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0006_accounts_and_audit')]

    initial = False

    operations = [
        ops.CreateModel(
            name='ContactAttribute',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('key', fields.CharField(max_length=64)),
                ('kind', fields.CharEnumField(description='TEXT: texto\nNUMBER: numero\nBOOLEAN: booleano\nLIST: lista', enum_type=AttributeKind, max_length=8)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'contact_attributes', 'app': 'core', 'pk_attr': 'id', 'table_description': "A key that some contact's attributes have had, with the kinds of value seen under it."},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='ContactAttribute',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'key', 'kind'), name='contact_attributes_once'),
        ),
        ops.CreateModel(
            name='ContactConsent',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('contact_id', fields.CharField(null=True, max_length=30)),
                ('identity', fields.BinaryField()),
                ('channel', fields.CharField(max_length=10)),
                ('status', fields.CharEnumField(description='GRANTED: granted\nDENIED: denied\nUNKNOWN: unknown', enum_type=OptInStatus, max_length=8)),
                ('source', fields.CharField(null=True, max_length=120)),
                ('at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('date_informed', fields.BooleanField()),
                ('ip', fields.CharField(null=True, max_length=45)),
                ('user_agent', fields.CharField(null=True, max_length=400)),
                ('reason', fields.CharField(null=True, max_length=200)),
                ('credential_id', fields.CharField(null=True, max_length=30)),
                ('request_id', fields.CharField(null=True, max_length=64)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'contact_consents', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'identity']), WhereIndex(fields=['organization_id', 'env', 'contact_id', 'created_at'], name='contact_consents_of', where='contact_id IS NOT NULL'), Index(fields=['organization_id', 'env', 'created_at', 'status'])], 'pk_attr': 'id', 'table_description': "One move of a contact's consent, with its proof. Append-only; `contact_id` goes when the contact does."},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='ContactList',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('name', fields.CharField(max_length=120)),
                ('description', fields.CharField(null=True, max_length=500)),
                ('size', fields.IntField(default=0)),
                ('created_by_id', fields.CharField(null=True, max_length=30)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'contact_lists', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id'])], 'pk_attr': 'id', 'table_description': 'A named set of contacts. `size` is kept by every statement that moves members.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='ContactList',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'name'), name='contact_lists_name_key'),
        ),
        ops.CreateModel(
            name='ContactListMember',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('list_id', fields.CharField(max_length=30)),
                ('contact_id', fields.CharField(max_length=30)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'contact_list_members', 'app': 'core', 'indexes': [Index(fields=['contact_id'])], 'pk_attr': 'id', 'table_description': 'One contact on one list.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='ContactListMember',
            constraint=UniqueConstraint(fields=('list_id', 'contact_id'), name='contact_list_members_once'),
        ),
        ops.CreateModel(
            name='CustomerEvent',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('name', fields.CharField(max_length=120)),
                ('event_id', fields.CharField(max_length=200)),
                ('contact_id', fields.CharField(null=True, max_length=30)),
                ('contact_external_id', fields.CharField(null=True, max_length=200)),
                ('occurred_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('value', fields.DecimalField(null=True, max_digits=18, decimal_places=4)),
                ('currency', fields.CharField(null=True, max_length=3)),
                ('properties', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('attribution', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('campaign_id', fields.CharField(null=True, max_length=80)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'customer_events', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'occurred_at', 'id']), Index(fields=['organization_id', 'env', 'name', 'occurred_at']), WhereIndex(fields=['organization_id', 'env', 'contact_id', 'occurred_at'], name='customer_events_by_contact', where='contact_id IS NOT NULL'), WhereIndex(fields=['organization_id', 'env', 'campaign_id', 'occurred_at'], name='customer_events_by_campaign', where='campaign_id IS NOT NULL'), WhereIndex(fields=['organization_id', 'env', 'contact_external_id'], name='customer_events_of_nobody_yet', where='contact_id IS NULL AND contact_external_id IS NOT NULL')], 'pk_attr': 'id', 'table_description': 'Something a customer did: a purchase, a visit, a contract. `value` is in units of `currency`.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='CustomerEvent',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'event_id'), name='customer_events_once'),
        ),
        ops.CreateModel(
            name='Segment',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('name', fields.CharField(max_length=120)),
                ('description', fields.CharField(null=True, max_length=500)),
                ('filters', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('filter_tree', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('size', fields.IntField(null=True)),
                ('size_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_by_id', fields.CharField(null=True, max_length=30)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'segments', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id'])], 'pk_attr': 'id', 'table_description': 'A named filter over contacts. `size` is what the last count found, at `size_at`.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='Segment',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'name'), name='segments_name_key'),
        ),
        ops.AddField(
            model_name='Contact',
            name='attributes',
            field=fields.JSONField(db_default='{}', encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Contact',
            name='avatar_url',
            field=fields.TextField(null=True, unique=False),
        ),
        ops.AddField(
            model_name='Contact',
            name='birth_date_cipher',
            field=fields.TextField(null=True, unique=False),
        ),
        ops.AddField(
            model_name='Contact',
            name='cnpj_cipher',
            field=fields.TextField(null=True, unique=False),
        ),
        ops.AddField(
            model_name='Contact',
            name='company_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Contact',
            name='company_role',
            field=fields.CharEnumField(null=True, description='DECIDES: decisor\nFINANCE: financeiro\nOPERATION: operacao\nOTHER: outro', enum_type=CompanyRole, max_length=10),
        ),
        ops.AddField(
            model_name='Contact',
            name='cpf_cipher',
            field=fields.TextField(null=True, unique=False),
        ),
        ops.AddField(
            model_name='Contact',
            name='debtor_groups',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Contact',
            name='email',
            field=fields.CharField(null=True, max_length=254),
        ),
        ops.AddField(
            model_name='Contact',
            name='external_id',
            field=fields.CharField(null=True, max_length=200),
        ),
        ops.AddField(
            model_name='Contact',
            name='external_ids',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Contact',
            name='last_interaction_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='Contact',
            name='name',
            field=fields.CharField(null=True, max_length=200),
        ),
        ops.AddField(
            model_name='Contact',
            name='opt_in_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='Contact',
            name='opt_in_ip',
            field=fields.CharField(null=True, max_length=45),
        ),
        ops.AddField(
            model_name='Contact',
            name='opt_in_revoked_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='Contact',
            name='opt_in_revoked_reason',
            field=fields.CharField(null=True, max_length=200),
        ),
        ops.AddField(
            model_name='Contact',
            name='opt_in_source',
            field=fields.CharField(null=True, max_length=120),
        ),
        ops.AddField(
            model_name='Contact',
            name='opt_in_user_agent',
            field=fields.CharField(null=True, max_length=400),
        ),
        ops.AddField(
            model_name='Contact',
            name='search_text',
            field=fields.TextField(null=True, unique=False),
        ),
        ops.AddField(
            model_name='Contact',
            name='source',
            field=fields.CharEnumField(description='MANUAL: manual\nIMPORT: import\nAPI: api\nWEBHOOK: webhook', db_default='manual', enum_type=Source, max_length=8),
        ),
        ops.AddField(
            model_name='Contact',
            name='tags',
            field=ArrayField(db_default='{}', element_type='TEXT'),
        ),
        ops.AddField(
            model_name='Contact',
            name='whatsapp_profile_name',
            field=fields.CharField(null=True, max_length=200),
        ),
        ops.RunSQL(
            sql=[
                """
                CREATE FUNCTION svc_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
                RETURN lower(translate(normalize(value, NFC),
                    'ÁÀÂÃÄÅáàâãäåÉÈÊËéèêëÍÌÎÏíìîïÓÒÔÕÖóòôõöÚÙÛÜúùûüÇçÑñÝýÿ',
                    'AAAAAAaaaaaaEEEEeeeeIIIIiiiiOOOOOoooooUUUUuuuuCcNnYyy'))
                """,
                """
                CREATE FUNCTION svc_trigrams(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
                RETURN (SELECT array_agg(DISTINCT substr(value, i, 3)) FROM generate_series(1, length(value) - 2) AS i)
                """,
                """
                CREATE FUNCTION svc_contact_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    NEW.search_text := svc_fold(
                        concat_ws(E'\\n', NEW.name, NEW.whatsapp_profile_name, NEW.email, NEW.phone));
                    RETURN NEW;
                END $$
                """,
                """
                CREATE TRIGGER contacts_search_text
                BEFORE INSERT OR UPDATE OF name, whatsapp_profile_name, email, phone ON contacts
                FOR EACH ROW EXECUTE FUNCTION svc_contact_search_text()
                """,
                "UPDATE contacts SET phone = phone",
            ],
            reverse_sql=[
                "DROP TRIGGER contacts_search_text ON contacts",
                "DROP FUNCTION svc_contact_search_text()",
                "DROP FUNCTION svc_trigrams(text)",
                "DROP FUNCTION svc_fold(text)",
            ],
        ),
        ops.AddIndex(
            model_name='Contact',
            index=Index(fields=['organization_id', 'env', 'created_at', 'id']),
        ),
        ops.AddIndex(
            model_name='Contact',
            index=Index(fields=['organization_id', 'env', 'updated_at', 'id']),
        ),
        ops.AddIndex(
            model_name='Contact',
            index=ExpressionIndex(parts=['organization_id', 'env', '(lower(email))'], name='contacts_by_email', using='', where='email IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Contact',
            index=WhereIndex(fields=['organization_id', 'env', 'company_id'], name='contacts_by_company', where='company_id IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Contact',
            index=WhereIndex(fields=['organization_id', 'env', 'last_interaction_at'], name='contacts_by_interaction', where='last_interaction_at IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Contact',
            index=GinIndex(fields=['tags'], name='contacts_tags'),
        ),
        ops.AddIndex(
            model_name='Contact',
            index=GinIndex(fields=['attributes'], name='contacts_attributes'),
        ),
        ops.AddIndex(
            model_name='Contact',
            index=ExpressionIndex(parts=['(svc_trigrams(search_text))'], name='contacts_search', using='GIN', where=''),
        ),
        ops.AddConstraint(
            model_name='Contact',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'external_id'), name='contacts_external_id_key', condition='external_id IS NOT NULL'),
        ),
        ops.AlterField(
            model_name='ContactDenial',
            name='source',
            field=fields.CharField(null=True, max_length=120),
        ),
        ops.AddField(
            model_name='Organization',
            name='unifies_ninth_digit',
            field=fields.BooleanField(default=True, db_default=True),
        ),
    ]
