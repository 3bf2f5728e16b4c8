# A short notation of recorded calls to JSON Lines, for the tests of streams.
#
#     PROCESS RPC NAME=JSON ...        PROCESS - : the line does not tell
#
# RPC: schema configure validate upgrade read plan apply import data. The text "?" is an unknown value. `private` and `out` are
# private data, asked and answered; `rr` makes a plan replace; `type` is another type than demo_disk; `provider` and `seq` are
# members of the line; `legacy=1` sets legacy_type_system.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;

my $json = JSON::PP->new->allow_nonref->canonical;

sub pack_value {
    my ($v) = @_;
    return "\xc0" unless defined $v;
    return pack('CC', 0xde, 0) . pack('C', scalar keys %$v) . join('', map { pack_value($_) . pack_value($v->{$_}) } sort keys %$v)
        if ref $v eq 'HASH';
    return pack('Cn', 0xdc, scalar @$v) . join('', map { pack_value($_) } @$v) if ref $v eq 'ARRAY';
    return "\xd4\0\0" if $v eq '?';
    return pack('Cl>', 0xd2, $v) if $v =~ /^-?[0-9]+$/;
    return pack('Cn', 0xda, length $v) . $v;
}

sub dynamic { return {msgpack => encode_base64(pack_value($_[0]), '')} }

# attributes that are left out are null
sub object {
    my ($v) = @_;
    return $v unless ref $v eq 'HASH';
    return {map { $_ => $v->{$_} } qw(id name size tag)};
}

# what both clients propose
sub proposed {
    my ($config, $prior) = @_;
    return undef unless ref $config;
    return {%$config, map { $_ => $config->{$_} // ($prior ? $prior->{$_} : undef) } qw(id size)};
}

my %rpc = (
    schema => 'GetProviderSchema', configure => 'ConfigureProvider', validate => 'ValidateResourceConfig', upgrade => 'UpgradeResourceState',
    read => 'ReadResource', plan => 'PlanResourceChange', apply => 'ApplyResourceChange', import => 'ImportResourceState', data => 'ReadDataSource',
);
my $schema = {
    version => 0,
    block => {attributes => [
        {name => 'id', type => encode_base64('"string"', ''), computed => JSON::PP::true},
        {name => 'name', type => encode_base64('"string"', ''), optional => JSON::PP::true},
        {name => 'size', type => encode_base64('"number"', ''), optional => JSON::PP::true, computed => JSON::PP::true},
        {name => 'tag', type => encode_base64('"string"', ''), optional => JSON::PP::true, write_only => JSON::PP::true},
    ]},
};

while (my $line = <STDIN>) {
    chomp $line;
    next if $line =~ /^\s*(#|$)/;
    my ($process, $call, @words) = split / +/, $line;
    my %arg = map { my ($k, $v) = split /=/, $_, 2; $k => $k =~ /^(private|out|type|rr|error|id|provider|seq)$/ ? $v : $json->decode($v) } @words;
    my %out = (rpc => $rpc{$call}, request => {}, response => {});
    $out{process} = $process + 0 if $process ne '-';
    $out{provider} = $arg{provider} if exists $arg{provider};
    $out{seq} = $arg{seq} + 0 if exists $arg{seq};
    my ($q, $a) = @out{qw(request response)};
    $q->{type_name} = $arg{type} // 'demo_disk' if $call !~ /^(schema|configure)$/;
    my $dv = sub { my ($m, $name, $key) = @_; $m->{$name} = dynamic(object($arg{$key})) if exists $arg{$key} };
    my $bytes = sub { my ($m, $name, $key) = @_; $m->{$name} = encode_base64($arg{$key}, '') if exists $arg{$key} };
    if ($call eq 'schema') {
        $a->{provider} = {version => 0, block => {}};
        $a->{server_capabilities} = {plan_destroy => JSON::PP::true};
        $a->{resource_schemas} = {demo_disk => $schema, demo_net => $schema};
        $a->{data_source_schemas} = {demo_disk => $schema};
    } elsif ($call eq 'configure') {
        $q->{config} = dynamic({});
    } else {
        $dv->($q, 'config', 'config');
        $dv->($q, $call eq 'read' ? 'current_state' : 'prior_state', 'prior');
        $dv->($q, 'planned_state', 'planned') if $call eq 'apply';
        $dv->($a, 'planned_state', 'planned') if $call eq 'plan';
        $q->{proposed_new_state} = dynamic(object(proposed($arg{config}, $arg{prior}))) if $call eq 'plan';
        $dv->($a, $call eq 'upgrade' ? 'upgraded_state' : $call eq 'data' ? 'state' : 'new_state', 'result');
        $q->{raw_state} = {json => encode_base64($json->encode(object($arg{raw})), '')} if exists $arg{raw};
        $bytes->($q, {plan => 'prior_private', apply => 'planned_private'}->{$call} // 'private', 'private');
        $bytes->($a, $call eq 'plan' ? 'planned_private' : 'private', 'out');
        $a->{legacy_type_system} = JSON::PP::true if $arg{legacy};
        $a->{requires_replace} = [{steps => [{attribute_name => $arg{rr}}]}] if exists $arg{rr};
        $a->{imported_resources} = [{type_name => $q->{type_name}, state => dynamic(object($arg{state}))}] if $call eq 'import';
        $q->{id} = $arg{id} if exists $arg{id};
        $a->{diagnostics} = [{severity => 'ERROR', summary => $arg{error}}] if exists $arg{error};
    }
    print $json->encode(\%out), "\n";
}
